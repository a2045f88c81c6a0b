// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

@Suite("Conversion into a file") struct ImageConverterWritingTests {
  private static let light = (0..<3 * 150 * 70).map { Float($0 % 997) / 100 }

  private func document(_ orientation: Orientation) -> SourceImage {
    let planes = (0..<3).map { Array(Self.light[$0 * 10_500..<($0 + 1) * 10_500]) }
    return SourceImage(
      planes, width: 70, orientation: orientation,
      encoding: ColorEncoding(primaries: .bt2020, transfer: .linear))
  }

  /// The written file equals the encoded image in memory, byte for byte.
  @Test(arguments: [FileFormat.png, .exr], Orientation.allCases)
  func isTheImageInMemory(format: FileFormat, orientation: Orientation) throws {
    for isLossless in [false, true] {
      var options = ConversionOptions.plain(format)
      options.orientation = .bake
      options.encoder.isLossless = isLossless
      let conversion = ImageConverter(options)
      let result = try conversion.run(document(orientation))
      let sink = MemorySink()
      let written = try conversion.write(document(orientation), to: sink)
      #expect(try result.output.encoded(as: format, options: options.encoder) == sink.bytes)
      #expect(written.image == result.output.image.description)
      #expect(written.lightLevels.maximum == result.lightLevels.maximum)
      #expect(written.notices == result.notices)
    }
  }

  /// A sink that fails beyond its capacity.
  private final class FullSink: ByteSink {
    private(set) var count = 0
    func append(_ bytes: [UInt8]) throws(ImageError) {
      guard count + bytes.count <= 2000 else {
        throw ImageError(ErrorCode("test", .inputOutput, "full"))
      }
      count += bytes.count
    }
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(ImageError) {}
  }

  /// The failure distinguishes reading from writing.
  @Test(arguments: [FileFormat.png, .exr]) func halves(file: FileFormat) throws {
    let conversion = ImageConverter(.plain(file))
    let full = #expect(throws: ConversionPlan.Failure.self) {
      try conversion.write(document(.upright), to: FullSink())
    }
    guard case .writing(let error) = full else {
      Issue.record("not the writing: \(String(describing: full))")
      return
    }
    #expect(error.category == .inputOutput)
    var unreadable = document(.upright)
    let layout = unreadable.image.layout
    unreadable.image = Image(unreadable.image.description) { BrokenReader(layout: layout) }
    let broken = #expect(throws: ConversionPlan.Failure.self) {
      try conversion.write(unreadable, to: MemorySink())
    }
    guard case .reading(let error) = broken else {
      Issue.record("not the reading: \(String(describing: broken))")
      return
    }
    #expect(error.category == .truncated)
  }

  private final class BrokenReader: RowReader {
    let layout: ImageLayout
    init(layout: ImageLayout) { self.layout = layout }
    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      throw ImageError(ErrorCode("test", .truncated, "no rows"))
    }
  }
}
