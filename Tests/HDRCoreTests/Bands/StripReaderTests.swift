// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import HDRCore

/// Strips that are read while the ones before them are processed.
@Suite("Strip reader") struct StripReaderTests {
  /// Counts requests, and fails from a row on.
  private final class CountingReader: RowReader {
    let layout: ImageLayout
    let isInMemory: Bool
    private let planes: PlanesReader
    private let end: Int
    let requests = Mutex<[Range<Int>]>([])

    init(_ image: ImagePlanes, failingFrom end: Int, isInMemory: Bool) {
      layout = image.layout
      planes = PlanesReader(image)
      (self.end, self.isInMemory) = (end, isInMemory)
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
    _ threads: Int, isInMemory: Bool, failingFrom end: Int = 100, count: Int
  ) -> (requests: [Range<Int>], error: ImageError?) {
    let image = randomImage(Self.layout, seed: 3)
    let reader = CountingReader(image, failingFrom: end, isInMemory: isInMemory)
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
  func stripsAreTheImage(threads: Int, isInMemory: Bool) {
    let all = strips(threads, isInMemory: isInMemory, count: 4)
    #expect(all.error == nil)
    #expect(all.requests == [0..<34, 30..<66, 62..<98, 94..<100])
    let some = strips(threads, isInMemory: isInMemory, count: 2)
    #expect(some.error == nil)
    #expect(some.requests == Array(all.requests.prefix(threads > 1 && !isInMemory ? 3 : 2)))
  }

  /// The error of a strip is thrown when that strip is requested, and not if it never is.
  @Test(arguments: [1, 3])
  func errorsOfStrips(threads: Int) {
    #expect(strips(threads, isInMemory: false, failingFrom: 70, count: 2).error == nil)
    #expect(strips(threads, isInMemory: false, failingFrom: 70, count: 3).error != nil)
  }
}
