// SPDX-License-Identifier: Apache-2.0
import CShims
import HDRCore
import ImageFiles
import TestSupport
import Testing

@testable import ImageCodecs

#if PNG || TIFF || EXR
/// zlib, which inflates the streams, is independent of libdeflate and ISA-L.
@Suite("Deflater") struct DeflaterTests {
  /// Bytes that compress well, badly and not at all, and none of them.
  private static let samples: [[UInt8]] = {
    var random = SplitMix(seed: 22)
    let noise = (0..<70_000).map { _ in UInt8(truncatingIfNeeded: random.next() >> 40) }
    return [
      [], [1], [UInt8](repeating: 7, count: 300_000), noise, noise.map { $0 & 0x11 },
      noise.indices.map { UInt8(truncatingIfNeeded: $0 / 9) &+ noise[$0] & 3 },
    ]
  }()

  /// Every sample after every other one, so that streams end at every bit.
  @Test(arguments: [0, 3, 5, 6, 8, 10]) func concatenatedBlocks(speed: Int) throws {
    let deflater = try Deflater(speed: speed)
    var (stream, bytes, checksum): ([UInt8], [UInt8], Adler32) = ([0x78, 0x9C], [], Adler32())
    func append(_ sample: [UInt8], isLast: Bool) throws {
      stream += try deflater.block(sample, isLast: isLast)
      bytes += sample
      checksum.append(Adler32(sample), count: sample.count)
    }
    for (index, first) in Self.samples.enumerated() {
      try append(first, isLast: false)
      for length in stride(from: 0, to: first.count, by: first.count / 7 + 1) {
        try append(Array(first.prefix(length)), isLast: false)
      }
      try append(Self.samples[(index + 2) % Self.samples.count], isLast: false)
    }
    try append([1, 2, 3], isLast: true)
    stream += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum.value >> UInt32($0)) }
    // Also verifies the checksum.
    #expect(try Zlib.inflate(stream, limit: 1 << 26) == bytes)
  }

  @Test(arguments: [0, 6]) func zlibStream(speed: Int) throws {
    for sample in Self.samples {
      let stream = try Deflater(speed: speed).zlibStream(sample)
      #expect(try Zlib.inflate(stream, limit: 1 << 20) == sample)
    }
  }

  /// ISA-L compresses noise, libdeflate what shrinks to less than half.
  @Test func librariesByCompressibility() throws {
    let (repeated, noise) = (Self.samples[2], Self.samples[3])
    let deflater = try Deflater(speed: 6)
    #expect(
      try deflater.block(repeated, isLast: true)
        == LibDeflate(level: 4).block(repeated, isLast: true))
    #expect(try deflater.block(noise, isLast: true) == ISALDeflate().block(noise, isLast: true))
    #expect(
      try Deflater(speed: 5).block(noise, isLast: true)
        == LibDeflate(level: 6).block(noise, isLast: true))
  }

  /// Streams of ISA-L do not depend on what its compressor compressed before.
  @Test func compressorsAreReused() throws {
    let used = try ISALDeflate()
    for sample in Self.samples {
      #expect(
        try used.block(sample, isLast: false) == ISALDeflate().block(sample, isLast: false))
    }
  }

  /// Bytes that cannot be compressed are stored.
  @Test func noiseGrowsLittle() throws {
    let noise = Self.samples[3]
    let stream = try Deflater(speed: 6).block(noise, isLast: true)
    #expect(stream.count < noise.count + 64)
  }

  /// A stream with stored and dynamic blocks, cut or changed at every byte, and noise.
  @Test func malformedStreams() throws {
    let sample = Self.samples[5].prefix(3000) + Self.samples[3].prefix(300)
    let stream = try LibDeflate(level: 6).block(Array(sample), isLast: true)
    func size(_ bytes: [UInt8], capacity: Int) -> Int {
      var buffer = bytes + [UInt8](repeating: 0, count: max(capacity - bytes.count, 0))
      return unsafe deflate_make_continuable(&buffer, bytes.count, capacity)
    }
    #expect(size(stream, capacity: stream.count + 5) > stream.count)
    #expect(size(stream, capacity: stream.count + 4) == 0)
    #expect(size(stream + [0], capacity: stream.count + 6) == 0)
    #expect(size([], capacity: 5) == 0)
    for count in stream.indices {
      #expect(size(Array(stream.prefix(count)), capacity: count + 5) == 0)
    }
    for index in stream.indices {
      var changed = stream
      changed[index] ^= 0x5A
      #expect(size(changed, capacity: changed.count + 5) <= changed.count + 5)
    }
    for length in 0..<2000 {
      let noise = Array(Self.samples[3].dropFirst(length).prefix(length % 40))
      #expect(size(noise, capacity: noise.count + 5) <= noise.count + 5)
    }
  }
}
#endif
