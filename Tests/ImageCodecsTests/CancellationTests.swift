// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG && EXR && TIFF
import Dispatch
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import Synchronization
import TestSupport
import Testing

@testable import ImageCodecs

/// Cancellation by `Task.cancel()` in conversions of 24 megapixels and inside grids.
///
/// A conversion ends within the current strip or tile. In each test the work itself waits for the
/// cancellation, so that the result does not depend on thread timing.
@Suite("Cancellation") struct CancellationTests {
  /// A point at which the work waits until its task is cancelled.
  private final class Gate: Sendable {
    private let cancelled = DispatchSemaphore(value: 0)
    private let isOpen = Mutex(false)
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Waits for the cancellation; the first call requests it.
    func reach() {
      let isFirst = isOpen.withLock { isOpen in
        defer { isOpen = true }
        return !isOpen
      }
      if isFirst { continuation.yield() }
      _ = cancelled.wait(timeout: .now() + 120)
      // For the next thread.
      cancelled.signal()
    }

    /// Runs `work` in a task that is cancelled when the work reaches the gate.
    ///
    /// - Returns: The error of the work.
    func cancelling(
      threads: Int, _ work: @escaping @Sendable () throws(ImageError) -> Void
    ) async -> ImageError? {
      let task = Task { () -> ImageError? in
        do throws(ImageError) {
          try await Execution(threads: threads).run(work)
          return nil
        } catch {
          return error
        }
      }
      for await _ in stream { break }
      task.cancel()
      cancelled.signal()
      return await task.value
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add(_ number: Int = 1) { count.withLock { $0 += number } }
  }

  /// 24 megapixels, generated strip by strip.
  private final class GrayRows: RowReader {
    static let layout = ImageLayout(width: 6000, height: 4000, components: .rgb, samples: .float)
    var layout: ImageLayout { Self.layout }
    private let strips: Counter

    init(counting strips: Counter) { self.strips = strips }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      strips.add()
      var strip = layout
      strip.height = rows.count
      let plane = Plane<Float>(width: strip.width, height: strip.height, filledWith: 0.25)
      return ImagePlanes(layout: strip, planes: .float([plane, plane, plane]))
    }
  }

  /// Strips are not read after the cancellation.
  @Test(arguments: [FileFormat.png, .tiff, .jpeg, .exr, .heif, .avif])
  func conversionEnds(format: FileFormat) async {
    let (gate, strips) = (Gate(), Counter())
    let error = await gate.cancelling(threads: 2) { () throws(ImageError) in
      let image = Image(
        ImageDescription(
          layout: GrayRows.layout, color: ColorEncoding(primaries: .bt709, transfer: .linear))
      ) { () throws(ImageError) in GrayRows(counting: strips) }
      var options = ConversionOptions(format: format, encoder: EncoderOptions(speed: 10))
      if format == .jpeg { (options.transfer, options.primaries) = (.srgb, .bt709) }
      // A single pass: measuring light levels needs another one before the first report.
      options.measuresAllLight = false
      var execution = Execution.current
      execution.progress = { share in
        if share > 0 { gate.reach() }
        return true
      }
      do throws(ConversionPlan.Failure) {
        try execution.perform { () throws(ConversionPlan.Failure) in
          try Execution.operation { () throws(ConversionPlan.Failure) in
            _ = try ImageConverter(options).write(
              SourceImage(format: .exr, image: image), to: MemorySink())
          }
        }
      } catch {
        throw error.cause
      }
    }
    #expect(error?.category == .cancelled)
    #expect(1...2 ~= strips.value)
  }

  /// The operation does not wait for the call of an encoder.
  @Test(arguments: [ItemCodec.hevc, .av1]) func encoderIsLeft(codec: ItemCodec) {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 10, width: 1600, height: 1200)
    let execution = Execution(threads: 2)
    execution.cancel()
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in
        try codec.encode(
          image, cicp: CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant),
          chromaLocation: .left, options: EncoderOptions(speed: 6))
      }
    }
    #expect(error?.category == .cancelled)
  }

  /// A sink that waits for the cancellation when it has more than `free` bytes.
  private final class WaitingSink: ByteSink {
    private(set) var count = 0
    private let gate: Gate
    private let free: Int
    private let appends: Counter
    private let bytes: Counter

    init(
      _ gate: Gate, after free: Int = 0, appends: Counter = Counter(), bytes: Counter = Counter()
    ) {
      self.gate = gate
      self.free = free
      self.appends = appends
      self.bytes = bytes
    }

    func append(_ bytes: [UInt8]) {
      count += bytes.count
      appends.add()
      self.bytes.add(bytes.count)
      if count > free { gate.reach() }
    }

    func overwrite(_ bytes: [UInt8], at offset: Int) {}
  }

  /// Row-based encoders stop between rows: only a few of the 24 megapixels are written.
  @Test(arguments: [FileFormat.png, .tiff])
  func encodingEnds(format: FileFormat) async {
    let (gate, appends) = (Gate(), Counter())
    let plane = Plane<UInt16>(width: 6000, height: 4000, filledWith: 0x3155)
    let layout = ImageLayout(
      width: 6000, height: 4000, components: .gray, samples: .integer(bits: 16))
    let output = OutputImage(
      Image(
        ImagePlanes(layout: layout, planes: .integer([plane])),
        CICP(primaries: .bt2020, transfer: .pq)))
    let error = await gate.cancelling(threads: 2) { () throws(ImageError) in
      let sink = WaitingSink(gate, appends: appends)
      try output.write(to: sink, as: format, options: EncoderOptions(speed: 10))
    }
    #expect(error?.category == .cancelled)
    // The header and the end of a begun file.
    #expect(appends.value < 10)
  }

  /// OpenEXR stops after the strip that is encoded: 128 of 2000 rows that cannot be compressed.
  @Test func openEXREncodingEnds() async {
    let (gate, bytes) = (Gate(), Counter())
    let layout = ImageLayout(width: 4000, height: 2000, components: .gray, samples: .half)
    let noise = Plane<UInt16>(width: layout.width, height: layout.height) { samples in
      var state: UInt32 = 1
      for _ in 0..<layout.width * layout.height {
        state = state &* 1_664_525 &+ 1_013_904_223
        samples.append(UInt16(truncatingIfNeeded: state >> 16))
      }
    }
    let output = OutputImage(
      Image(
        ImageDescription(
          layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .linear)),
        ImagePlanes(layout: layout, planes: .half([noise]))))
    let error = await gate.cancelling(threads: 2) { () throws(ImageError) in
      let sink = WaitingSink(gate, after: 100_000, bytes: bytes)
      try output.write(to: sink, as: .exr, options: EncoderOptions())
    }
    #expect(error?.category == .cancelled)
    // A strip has 1 million bytes, the image 16 million.
    #expect(100_000...1_100_000 ~= bytes.value)
  }

  /// A file whose reads wait for the cancellation, once it is armed.
  private final class WaitingFile: ByteProvider {
    private let content: [UInt8]
    private let gate: Gate
    private let reads: Counter
    private let isArmed = Mutex(false)

    var count: Int { content.count }

    init(_ content: [UInt8], _ gate: Gate, counting reads: Counter) {
      self.content = content
      self.gate = gate
      self.reads = reads
    }

    func arm() { isArmed.withLock { $0 = true } }

    func bytes(in range: Range<Int>) -> [UInt8] {
      if isArmed.withLock({ $0 }) {
        reads.add()
        gate.reach()
      }
      return Array(content[range])
    }
  }

  /// A grid of 32 tiles ends with the tiles that are decoded: one for each thread.
  ///
  /// RGB is decoded by rows of tiles, 4:2:0 to one canvas.
  @Test(arguments: [ItemCodec.hevc, .av1], [ImageLayout.Components.rgb, .ycbcr(.yuv420)])
  func gridDecodingEnds(codec: ItemCodec, components: ImageLayout.Components) async throws {
    let image = TestImage.make(components, bits: 10, width: 512, height: 1024)
    let matrix: CICP.Matrix = components == .rgb ? .identity : .bt2020NonConstant
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq, matrix: matrix)))
    let limit = CodedItemLimit(pixels: 128 * 128, width: 128, height: 128)
    let bytes = try RoundTripTests.written(output, codec, limit: limit)
    let (gate, reads) = (Gate(), Counter())
    let file = WaitingFile(bytes, gate, counting: reads)
    let document = try SourceImage(decoding: ByteSource(unbuffered: file))
    file.arm()
    let error = await gate.cancelling(threads: 2) { () throws(ImageError) in
      _ = try document.image.planes()
    }
    #expect(error?.category == .cancelled)
    // A tile is read in at most two parts.
    #expect(1...4 ~= reads.value)
  }
}
#endif
