// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Rows that a library decoded one after the other, and the error of the next.
package struct DecodedRows: Codable, Sendable {
  package var count: Int
  package var failure: CodableError?

  package init(count: Int) { self.count = count }

  /// Decodes up to `count` rows.
  package init(_ count: Int, _ decode: (_ index: Int) throws(ImageError) -> Void) {
    self.count = 0
    while self.count < count {
      do throws(ImageError) {
        try decode(self.count)
      } catch {
        failure = CodableError(error)
        return
      }
      self.count += 1
    }
  }
}

/// Rows that a decoder process decodes ahead, in shared memory.
///
/// An error takes effect when the row that it belongs to is read, as without isolation.
package struct RowBatch {
  /// Receives rows.
  package let memory: SharedMemory
  private let process: DecoderProcess
  private let rowSize: Int
  private let mostRows: Int
  private var rows = 0..<0
  private var failure: ImageError?

  /// Size of a batch, in bytes, unless rows are larger.
  private static let size = 1 << 20

  /// Allocates the memory of a batch.
  ///
  /// - Parameters:
  ///   - process: The process of the image.
  ///   - rowSize: Size of a row, in bytes.
  ///   - height: Number of rows.
  ///   - isWhole: Whether all rows are decoded together.
  /// - Throws: `.limitExceeded` if the budget does not suffice.
  package init(
    _ process: DecoderProcess, rowSize: Int, height: Int, isWhole: Bool = false
  ) throws(ImageError) {
    self.process = process
    self.rowSize = rowSize
    mostRows = isWhole ? height : max(min(Self.size / max(rowSize, 1), height), 1)
    let (size, overflow) = mostRows.multipliedReportingOverflow(by: rowSize)
    guard !overflow else { throw ImageError(.outOfMemory, ["library": "shared samples"]) }
    memory = try SharedMemory(count: size)
  }

  /// Copies a row, which is decoded unless it is in the batch.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - end: The row after the last that can be decoded with it.
  ///   - target: Receives the row.
  ///   - service: The library.
  ///   - decode: Decodes rows to the beginning of the memory.
  /// - Throws: Errors of the library.
  package mutating func read<Service: DecoderService>(
    _ row: Int, of end: Int, into target: inout [UInt8], _ service: Service.Type,
    decode: (_ rows: Range<Int>) throws(ImageError) -> DecodedRows
  ) throws(ImageError) {
    if !rows.contains(row) {
      if let failure, row == rows.upperBound { throw failure }
      (rows, failure) = (row..<row, nil)
      let wanted = row..<max(min(row + mostRows, end), row + 1)
      let decoded = try decode(wanted)
      guard (0...wanted.count).contains(decoded.count),
        decoded.count == wanted.count || decoded.failure != nil
      else { throw ImageError(.codecReplyInvalid, ["library": service.library]) }
      rows = row..<row + decoded.count
      failure = decoded.failure.map { process.error($0, of: service) }
      if let failure, rows.isEmpty { throw failure }
    }
    memory.copy(from: (row - rows.lowerBound) * rowSize, to: &target, byteCount: rowSize)
  }
}
