#if HEIF && AVIF && PNG && JPEG && EXR && TIFF
import Dispatch
@testable import HDRConversion
import HDRCore
import ImageContainers
@testable import ImageFiles
import Synchronization
import TestSupport
import Testing

@testable import ImageCodecs

/// Cancellation by `Task.cancel()` in conversions of 24 megapixels.
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

    /// Waits for the cancellation, on the first call only.
    func reach() {
      guard
        isOpen.withLock({ isOpen in
          defer { isOpen = true }; return !isOpen
        })
      else { return }
      continuation.yield()
      _ = cancelled.wait(timeout: .now() + 120)
    }

    /// Runs `work` in a task that is cancelled when the work reaches the gate.
    ///
    /// - Returns: The error of the work.
    func cancelling(
      threads: Int, _ work: @escaping @Sendable () throws(ImageError) -> Void
    ) async -> ImageError? {
      let task = Task { () -> ImageError? in
        do throws(ImageError) {
          try await Execution(threads: threads)(work)
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
    func increment() { count.withLock { $0 += 1 } }
  }

  /// 24 megapixels, generated strip by strip.
  private final class GrayRows: RowReader {
    static let layout = ImageLayout(width: 6000, height: 4000, components: .rgb, samples: .float)
    var layout: ImageLayout { Self.layout }
    private let strips: Counter

    init(counting strips: Counter) { self.strips = strips }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      strips.increment()
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
      do throws(ImageConverter.Failure) {
        _ = try ImageConverter(options).write(
          SourceImage(format: .exr, image: image), to: MemorySink()
        ) { _ in gate.reach() }
      } catch {
        throw error.cause
      }
    }
    #expect(error?.category == .cancelled)
    #expect(1...2 ~= strips.value)
  }

  /// A sink that waits for the cancellation when it receives its first bytes.
  private final class WaitingSink: ByteSink {
    private(set) var count = 0
    private let gate: Gate
    private let appends: Counter

    init(_ gate: Gate, counting appends: Counter) {
      self.gate = gate
      self.appends = appends
    }

    func append(_ bytes: [UInt8]) {
      count += bytes.count
      appends.increment()
      gate.reach()
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
      let sink = WaitingSink(gate, counting: appends)
      try output.write(to: sink, as: format, options: EncoderOptions(speed: 10))
    }
    #expect(error?.category == .cancelled)
    // The header and the end of a begun file.
    #expect(appends.value < 10)
  }
}
#endif
