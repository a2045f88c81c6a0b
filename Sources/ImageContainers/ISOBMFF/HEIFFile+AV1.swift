// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Parses the sequence header of an AV1 item; only the start of the data is read.
  ///
  /// - Throws: Errors of `data(of:)`; `.malformed` if the sequence header is missing.
  package func av1SequenceHeader(of id: UInt32) throws(ImageError) -> AV1SequenceHeader {
    let total = try dataParts(of: id).reduce(0) { $0 + $1.count }
    var length = 1 << 12
    while true {
      do throws(ImageError) {
        return try withData(of: id, prefix: length) { bytes throws(ImageError) in
          try AV1SequenceHeader(ofItem: bytes)
        }
      } catch {
        guard error.category == .truncated, length < total else { throw error }
        length *= 16
      }
    }
  }
}
