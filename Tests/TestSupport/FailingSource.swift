// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import HDRCore
public import ImageFiles
internal import Synchronization

/// Bytes of a file of which one read fails, as on a network.
public final class FailingSource: ByteProvider {
  /// Small corpus files of different formats, with gain maps, metadata and boxes.
  public static let files = [
    "peer-made/uhdr202-heic-gray.heic", "peer-made/avifgm-sdrbase.avif",
    "jpeg-uhdr/uhdrapp-gray51.jpg", "png-hdr/libpng-cicp-p3-palette.png",
    "png-hdr/ktx-icc-2100pq-full.png", "jxl-hdr/sdwebimage-pq2100.jxl",
    "tiff-hdr/fp32-lzw-predictor3.tif", "jxr/kimageformats-metadata.jxr", "exr/colour-1ch.exr",
    "dng-derived/adobe-05-pgtm2-u8.jxl.dng",
  ]

  /// An error of a program.
  public struct NoAnswer: LocalizedError {
    public var errorDescription: String? { "the server does not answer" }
  }

  private let bytes: [UInt8]
  private let failing: Int?
  private let reads = Atomic(0)

  /// - Parameters:
  ///   - bytes: The file.
  ///   - failing: Number of the read that fails, from 0; `nil` for none.
  init(_ bytes: [UInt8], failing: Int?) {
    self.bytes = bytes
    self.failing = failing
  }

  public var count: Int { bytes.count }

  /// Number of reads so far.
  var readCount: Int { reads.load(ordering: .relaxed) }

  public func bytes(in range: Range<Int>) throws -> [UInt8] {
    let read = reads.wrappingAdd(1, ordering: .relaxed).oldValue
    guard read != failing else { throw NoAnswer() }
    return Array(bytes[range])
  }

  /// Runs an operation once for each of its reads, which fails; the others succeed.
  ///
  /// - Parameters:
  ///   - bytes: A file, of which the operation succeeds.
  ///   - most: Number of reads that fail; they are evenly distributed if there are more.
  ///   - operation: The operation.
  /// - Returns: Number of reads; descriptions of those whose failure did not end the operation with an error of
  ///   `.inputOutput`.
  /// - Throws: Errors of the operation if no read fails.
  public static func survivedFailures(
    of bytes: [UInt8], most: Int = .max, _ operation: (ByteSource) throws -> Void
  ) throws -> (readCount: Int, survived: [String]) {
    let whole = FailingSource(bytes, failing: nil)
    try operation(ByteSource(unbuffered: whole))
    var survived: [String] = []
    for failing in stride(from: 0, to: whole.readCount, by: max(whole.readCount / most, 1)) {
      let source = FailingSource(bytes, failing: failing)
      do {
        try operation(ByteSource(unbuffered: source))
        // Threads read in any order, and not always the same bytes ahead.
        if source.readCount > failing { survived.append("read \(failing) without an error") }
      } catch {
        guard (error as? ImageError)?.category != .inputOutput else { continue }
        survived.append("read \(failing): \(error)")
      }
    }
    return (whole.readCount, survived)
  }
}
