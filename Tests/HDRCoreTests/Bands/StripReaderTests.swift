// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Testing

@testable import HDRCore

/// Strips that are read while the ones before them are processed.
@Suite("Strip reader") struct StripReaderTests {
  /// Counts requests, and fails from a row on.
  private final class CountingReader: SequentialRowReader {
    let layout: ImageLayout
    let isSequential: Bool
    private let planes: PlanesReader
    private let end: Int
    let requests = Mutex<[Range<Int>]>([])

    init(_ image: ImagePlanes, failingFrom end: Int, isSequential: Bool) {
      layout = image.layout
      planes = PlanesReader(image)
      (self.end, self.isSequential) = (end, isSequential)
    }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      requests.withLock { $0.append(rows) }
      guard rows.upperBound <= end else {
        throw ImageError(ErrorCode("test", .inputOutput, "full"))
      }
      return try planes.read(rows: rows)
    }
  }

  private static let layout = ImageLayout(
    width: 8, height: 100, components: .ycbcr(.yuv420), samples: .integer(bits: 8))
  private static let strips = [0..<32, 32..<64, 64..<96, 96..<100]

  private func strips(
    _ threads: Int, isSequential: Bool, failingFrom end: Int = 100, count: Int
  ) -> (requests: [Range<Int>], error: ImageError?) {
    let image = randomImage(Self.layout, seed: 3)
    let reader = CountingReader(image, failingFrom: end, isSequential: isSequential)
    let decoder = LinearRowDecoder(
      Self.layout, ColorEncoding(primaries: .bt709, transfer: .srgb, matrix: .bt709))
    var error: ImageError?
    Execution(threads: threads).perform {
      let reading = decoder.strips(Self.strips, of: reader)
      defer { reading.finish() }
      do throws(ImageError) {
        for rows in Self.strips.prefix(count) {
          let strip = try reading.next()
          let wanted = decoder.rowsToRead(toDecode: rows)
          #expect(strip.first == wanted.lowerBound)
          guard case .integer(let found) = strip.image.planes,
            case .integer(let expected) = image.strip(rows: wanted).planes
          else {
            Issue.record("not integers")
            return
          }
          #expect(found == expected)
        }
      } catch let failure { error = failure }
    }
    return (reader.requests.withLock { $0 }, error)
  }

  /// Strips are those of the image in order, with the rows that chroma needs; one is read ahead.
  @Test(arguments: [1, 3], [false, true])
  func stripsAreTheImage(threads: Int, isSequential: Bool) {
    let all = strips(threads, isSequential: isSequential, count: 4)
    #expect(all.error == nil)
    #expect(all.requests == [0..<34, 30..<66, 62..<98, 94..<100])
    let some = strips(threads, isSequential: isSequential, count: 2)
    #expect(some.error == nil)
    #expect(some.requests == Array(all.requests.prefix(threads > 1 && isSequential ? 3 : 2)))
  }

  /// The error of a strip is thrown when that strip is requested, and not if it never is.
  @Test(arguments: [1, 3])
  func errorsOfStrips(threads: Int) {
    #expect(strips(threads, isSequential: true, failingFrom: 70, count: 2).error == nil)
    #expect(strips(threads, isSequential: true, failingFrom: 70, count: 3).error != nil)
  }

  /// Reads the first strip, and then nothing until the operation is cancelled.
  private final class WaitingReader: SequentialRowReader {
    let layout = StripReaderTests.layout
    let isReading = DispatchSemaphore(value: 0)
    let sawCancellation = Mutex(false)

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      if rows.lowerBound > 0 {
        isReading.signal()
        let never = DispatchSemaphore(value: 0)
        for _ in 0..<3000 where !Execution.current.isCancelled {
          _ = never.wait(timeout: .now() + .milliseconds(10))
        }
        sawCancellation.withLock { $0 = Execution.current.isCancelled }
      }
      return randomImage(layout.strip(height: rows.count), seed: 1)
    }
  }

  /// A reader notices that the task of the thread that waits for it is cancelled.
  @Test func cancelledTask() async {
    let reader = WaitingReader()
    // SAFETY: only the task uses the reader before it ends.
    nonisolated(unsafe) let rows = reader
    let task = Task {
      Execution(threads: 2).perform {
        let decoder = LinearRowDecoder(
          Self.layout, ColorEncoding(primaries: .bt709, transfer: .srgb, matrix: .bt709))
        let reading = decoder.strips(Self.strips, of: unsafe rows)
        defer { reading.finish() }
        _ = try? reading.next()
        _ = try? reading.next()
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "test").async {
        unsafe rows.isReading.wait()
        continuation.resume()
      }
    }
    task.cancel()
    await task.value
    #expect(reader.sawCancellation.withLock { $0 })
  }
}
