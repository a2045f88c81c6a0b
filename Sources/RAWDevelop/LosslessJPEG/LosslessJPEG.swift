// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Lossless JPEG (SOF3, Huffman), as raw files use it.
///
/// Source: ITU-T T.81, annex H; DNG 1.7.1, chapter 3, "Compression".
package struct LosslessJPEG {
  let header: LosslessJPEGHeader
  /// Whether 16 unused bits follow a difference of 32768, as before DNG 1.1.
  private let hasBitsAfter32768: Bool
  private let bytes: [UInt8]
  private let fileOffset: Int

  /// Parses the header.
  ///
  /// - Parameters:
  ///   - bytes: A lossless JPEG.
  ///   - fileOffset: Offset of the bytes in the file, for errors.
  ///   - hasBitsAfter32768: Whether 16 bits follow a difference of 32768.
  /// - Throws: `.unsupported` for a JPEG of another process, `.malformed` and `.truncated`.
  package init(
    parsing bytes: [UInt8], fileOffset: Int = 0, hasBitsAfter32768: Bool = false
  ) throws(ImageError) {
    header = try LosslessJPEGHeader(parsing: bytes, fileOffset: fileOffset)
    self.bytes = bytes
    self.fileOffset = fileOffset
    self.hasBitsAfter32768 = hasBitsAfter32768
  }

  /// Number of samples of all components: width times height times number of components.
  package var sampleCount: Int { header.width * header.height * header.componentCount }

  /// Decodes the samples, interleaved, row by row.
  ///
  /// Each sample takes at least one bit, which limits memory by the size of the data.
  ///
  /// - Returns: `sampleCount` samples, shifted by the point transform.
  /// - Throws: `.truncated` if the bits end early, `.malformed` for an invalid code.
  package func decode() throws(ImageError) -> [UInt16] {
    let (samples, damage) = try salvage()
    if let damage { throw damage }
    return samples
  }

  /// As `decode()`, with the samples of the rows before an error; the others are 0.
  ///
  /// - Throws: Errors of the first row.
  func salvage() throws(ImageError) -> (samples: [UInt16], damage: ImageError?) {
    guard sampleCount <= 8 * (bytes.count - header.scanStart) else {
      throw ImageError(
        .truncated, "truncated: {samples sample} in {size byte}",
        ["size": bytes.count - header.scanStart, "samples": sampleCount],
        at: .init(offset: fileOffset + header.scanStart))
    }
    let coded = EntropyCodedSegments(bytes, from: header.scanStart)
    var samples = [UInt16](repeating: 0, count: sampleCount)
    var scan = LosslessJPEGScan(header, coded, hasBitsAfter32768: hasBitsAfter32768)
    var damage: ImageError?
    do throws(ImageError) {
      var span = samples.mutableSpan
      try scan.decode(into: &span)
    } catch {
      damage = error.at(.init(offset: fileOffset + header.scanStart))
      if samples.allSatisfy({ $0 == 0 }) { throw damage ?? error }
    }
    if header.pointTransform > 0 {
      for index in samples.indices { samples[index] <<= UInt16(header.pointTransform) }
    }
    return (samples, damage)
  }
}
