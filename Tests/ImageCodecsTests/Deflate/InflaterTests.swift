// SPDX-License-Identifier: Apache-2.0
import CShims
import ImageFiles
import TestSupport
import Testing

@testable import ImageCodecs

#if PNG
/// Streams of libdeflate and zlib; zlib inflates them as well.
@Suite("Inflater") struct InflaterTests {
  private static let samples: [[UInt8]] = {
    var random = SplitMix(seed: 22)
    let noise = (0..<70_000).map { _ in UInt8(truncatingIfNeeded: random.next() >> 40) }
    return [
      [], [1], [UInt8](repeating: 7, count: 300_000), noise, noise.map { $0 & 0x11 },
      noise.indices.map { UInt8(truncatingIfNeeded: $0 / 9) &+ noise[$0] & 3 },
      noise.indices.map { UInt8(truncatingIfNeeded: $0 % 6) &+ noise[$0 / 200] & 1 },
    ]
  }()

  /// Input that is read in pieces.
  private final class Input {
    private let bytes: [UInt8]
    private let piece: Int
    private var position = 0

    init(_ bytes: [UInt8], piece: Int) { (self.bytes, self.piece) = (bytes, piece) }

    func read(_ count: Int) -> ArraySlice<UInt8> {
      let taken = bytes[position..<min(position + min(count, piece), bytes.count)]
      position = taken.endIndex
      return taken
    }
  }

  /// Inflates `count` bytes by `request`; `nil` unless the stream is valid and ends there.
  private func inflate(
    _ stream: [UInt8], count: Int, request: Int, piece: Int
  ) -> [UInt8]? {
    let input = Input(stream, piece: piece)
    return withExtendedLifetime(input) {
      let context = unsafe Unmanaged.passUnretained(input).toOpaque()
      let read: inflate_read_next = { context, target, capacity in
        let input = unsafe Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
        let bytes = input.read(capacity)
        for (index, byte) in bytes.enumerated() { unsafe target[index] = byte }
        return bytes.count
      }
      guard let reader = unsafe inflate_create(context, read, request) else { return nil }
      defer { unsafe inflate_free(reader) }
      var bytes: [UInt8] = []
      while bytes.count < count {
        let size = min(request, count - bytes.count)
        guard let next = unsafe inflate_next(reader, size) else { return nil }
        unsafe bytes += UnsafeBufferPointer(start: next, count: size)
      }
      return unsafe inflate_finish(reader) == 1 ? bytes : nil
    }
  }

  @Test(arguments: [0, 3, 6, 10], [1, 700, 1 << 20])
  func streams(speed: Int, piece: Int) throws {
    for sample in Self.samples {
      let stream = try Deflater(speed: speed).zlibStream(sample)
      for request in [1 << 19, 24_481, 97] {
        #expect(inflate(stream, count: sample.count, request: request, piece: piece) == sample)
      }
      let byZlib = try Zlib.deflate(sample)
      #expect(inflate(byZlib, count: sample.count, request: 999, piece: piece) == sample)
    }
  }

  /// As for zlib, matches may begin before the window that the header declares.
  @Test func smallWindow() throws {
    let period = Self.samples[3].prefix(1000)
    let sample = Array(period + period)
    var stream = try Deflater(speed: 5).zlibStream(sample)
    #expect(inflate(stream, count: sample.count, request: 100, piece: 700) == sample)
    // 256 bytes.
    stream.replaceSubrange(..<2, with: [0x08, 0x1D])
    #expect(try Zlib.inflate(stream, limit: 1 << 16) == sample)
    #expect(inflate(stream, count: sample.count, request: 100, piece: 700) == sample)
  }

  /// A stream with stored and dynamic blocks, truncated or changed at every byte.
  @Test func malformedStreams() throws {
    let sample = Array(Self.samples[5].prefix(3000) + Self.samples[3].prefix(300))
    let deflater = try Deflater(speed: 5)
    var stream: [UInt8] = [0x78, 0x9C]
    stream += try deflater.block(Array(sample[..<2000]), isLast: false)
    stream += try deflater.block(Array(sample[2000...]), isLast: true)
    stream += [24, 16, 8, 0].map {
      UInt8(truncatingIfNeeded: Adler32(sample).value >> UInt32($0))
    }
    func inflated(_ stream: [UInt8]) -> [UInt8]? {
      inflate(stream, count: sample.count, request: 1000, piece: 300)
    }
    #expect(inflated(stream) == sample)
    #expect(inflated(stream + [0]) == nil)
    for count in stream.indices { #expect(inflated(Array(stream.prefix(count))) == nil) }
    for index in stream.indices {
      for bit in 0..<8 {
        var changed = stream
        changed[index] ^= 1 << bit
        // Other bytes may have the same checksum.
        guard let found = inflated(changed) else { continue }
        #expect(try found == Zlib.inflate(changed, limit: 1 << 16))
      }
    }
  }
}
#endif
