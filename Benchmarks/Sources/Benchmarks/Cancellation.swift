// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import Synchronization

/// The moment of a cancellation of 24 megapixels.
private enum Moment: String, CaseIterable {
  case half = "at half of the rows"
  /// 0.3 seconds after the last row was read: in the encoder, if it takes whole images.
  case encoding = "in the encoder"
}

/// 24 megapixels of noise, whose reading cancels an operation.
private final class CancellingRows: RowReader {
  static let layout = ImageLayout(width: 6000, height: 4000, components: .rgb, samples: .float)
  static let color = ColorEncoding(primaries: .bt709, transfer: .linear)

  var layout: ImageLayout { Self.layout }
  private let moment: Moment
  private let cancel: @Sendable () -> Void
  private var strips: [Int: ImagePlanes] = [:]

  init(_ moment: Moment, _ cancel: @escaping @Sendable () -> Void) {
    (self.moment, self.cancel) = (moment, cancel)
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    switch moment {
    case .half where rows.contains(layout.height / 2): cancel()
    case .encoding where rows.upperBound == layout.height:
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.3, execute: cancel)
    default: break
    }
    if let strip = strips[rows.count] { return strip }
    var description = ImageDescription(layout: layout, color: Self.color)
    description.layout.height = rows.count
    var state: UInt32 = 1
    let samples = (0..<layout.width * rows.count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return 0.2 + Float(state >> 16) / 1_000_000
    }
    let plane = try Plane(width: layout.width, height: rows.count, samples: samples)
    let strip = try Image(description, planes: .float([plane, plane, plane])).planes()
    strips[rows.count] = strip
    return strip
  }
}

/// Processor time from the cancellation of a conversion to its end, for each format.
///
/// `Task.cancel()` calls the function that is called here. Encoders of whole images (HEVC, AV1, JPEG XL)
/// end after their call, see Decision 2; the others have encoded everything by then.
func measureCancellation() throws -> [Measurement] {
  try [FileFormat.png, .tiff, .jpeg, .exr, .jxl, .heif, .avif].flatMap { format in
    try Moment.allCases.compactMap { try measureCancellation(of: format, $0) }
  }
}

private func measureCancellation(of format: FileFormat, _ moment: Moment) throws -> Measurement? {
  let start = Start()
  let execution = Execution(threads: 2)
  let image = Image(
    ImageDescription(layout: CancellingRows.layout, color: CancellingRows.color)
  ) {
    CancellingRows(moment) {
      start.time.withLock { $0 = $0 ?? processorTime() }
      execution.cancel()
    }
  }
  let request = ConversionRequest(format: format, content: format == .jpeg ? .automatic : .hdr)
  let plan = try SourceImage(image).plan(for: request, isHDR: format != .jpeg)
  do {
    try execution.run { () throws(ImageError) in _ = try plan.bytes() }
    return nil
  } catch let error as ImageError where error.category == .cancelled {
    guard let start = start.time.withLock({ $0 }) else { return nil }
    return Measurement(
      name: "cancelled \(moment.rawValue), \(format.rawValue)", value: processorTime() - start,
      unit: "s", goal: moment == .half ? 0.1 : nil)
  }
}

/// Processor time at the cancellation.
private final class Start: Sendable {
  let time = Mutex<Double?>(nil)
}
