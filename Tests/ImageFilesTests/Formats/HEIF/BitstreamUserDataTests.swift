// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("User data of bitstreams") struct BitstreamUserDataTests {
  private static let message: [UInt8] = [0xB5, 0x00, 0x01] + Array("text".utf8)
  private static let adaptation = HeadroomAdaptation.t35Prefix + [0]

  @Test func av1() throws {
    let delimiter: [UInt8] = [0x12, 0]
    let known = AV1Metadata.unit(ofRegistered: Self.adaptation)
    let unknown = AV1Metadata.unit(ofRegistered: Self.message)
    let levels: [UInt8] = [0x2A, 6, 1, 0, 10, 0, 5, 0x80]
    let (padding, privateType): ([UInt8], [UInt8]) = ([0x7A, 2, 1, 0x80], [0x2A, 2, 6, 0x80])
    let frame: [UInt8] = [0x32, 1, 0x80]
    let bytes = delimiter + known + unknown + levels + padding + frame + privateType
    let start = delimiter.count + known.count
    let data = try BitstreamUserData(in: bytes, of: .av1)
    let end = start + unknown.count
    #expect(
      data.ranges == [
        start..<end, end + levels.count..<end + levels.count + padding.count,
        bytes.count - privateType.count..<bytes.count,
      ])
  }

  @Test func hevc() throws {
    func sei(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
      let unit = [39 << 1, 1, type, UInt8(payload.count)] + payload + [0x80]
      return [0, 0, 0, UInt8(unit.count)] + unit
    }
    let name = [UInt8](repeating: 1, count: 16)
    let settings = sei(5, name + Array("x265 (build 199)".utf8))
    let text = sei(5, name + Array("text".utf8))
    let known = sei(4, Self.adaptation)
    let unknown = sei(4, Self.message)
    let slice: [UInt8] = [0, 0, 0, 3, 38, 1, 0x80]
    let filler: [UInt8] = [0, 0, 0, 3, 38 << 1, 1, 0x80]
    let bytes = settings + known + text + unknown + slice + filler
    let start = settings.count + known.count
    let data = try BitstreamUserData(in: bytes, of: .hevc(4))
    #expect(
      data.ranges == [
        start..<start + text.count,
        start + text.count..<start + text.count + unknown.count,
        bytes.count - filler.count..<bytes.count,
      ])
  }

  /// The bytes from the first failure on are not read; without samples, nothing is.
  @Test func bytesThatAreNotAUnit() throws {
    let message = AV1Metadata.unit(ofRegistered: Self.message)
    let frame: [UInt8] = [0x32, 1, 0x80]
    let start = message.count + frame.count
    for rest: [UInt8] in [[0xFF], [0x0A, 9], [0x32, 2, 0]] {
      let data = try BitstreamUserData(in: message + frame + rest, of: .av1)
      #expect(data.ranges == [0..<message.count, start..<start + rest.count])
    }
    let slice: [UInt8] = [0, 3, 38, 1, 0x80]
    // A message that is longer than its unit, then lengths that are 0, too long and incomplete.
    let broken: [UInt8] = [0, 5, 39 << 1, 1, 5, 9, 0x80]
    for rest: [UInt8] in [[0, 0, 0, 0], [0, 9, 38, 1], [0xFF]] {
      let data = try BitstreamUserData(in: broken + slice + rest, of: .hevc(2))
      #expect(data.ranges == [0..<7, 12..<12 + rest.count])
    }
    for codec in [BitstreamUserData.Codec.av1, .hevc(2)] {
      let error = #expect(throws: ImageError.self) {
        try BitstreamUserData(in: [0xFF, 0xFF], of: codec)
      }
      #expect(error?.code == .bitstreamNoImage)
    }
  }

  /// Reserved types, and payload in units without fields.
  @Test func unitsThatDecodersSkip() throws {
    let frame: [UInt8] = [0x32, 1, 0x80]
    for unit: [UInt8] in [[0x4A, 1, 0x80], [0x12, 1, 0x80], [0x02, 0]] {
      let data = try BitstreamUserData(in: unit + frame, of: .av1)
      #expect(data.ranges == [0..<unit.count])
    }
    #expect(try BitstreamUserData(in: [0x12, 0] + frame, of: .av1).ranges.isEmpty)
    let slice: [UInt8] = [0, 3, 19 << 1, 1, 0x80]
    for type: UInt8 in [10, 22, 35, 36, 37, 41, 47, 48] {
      let unit: [UInt8] = [0, 4, type << 1, 1, 1, 0x80]
      let data = try BitstreamUserData(in: unit + slice, of: .hevc(2))
      #expect(data.ranges == [0..<unit.count], "type \(type)")
    }
    // A delimiter and an end of sequence as specified.
    let regular: [UInt8] = [0, 3, 35 << 1, 1, 0x50] + slice + [0, 2, 36 << 1, 1]
    #expect(try BitstreamUserData(in: regular, of: .hevc(2)).ranges.isEmpty)
  }

  @Test func rangesOverParts() throws {
    let parts = [SourceBytes([0, 1, 2]), SourceBytes([3]), SourceBytes([4, 5, 6, 7])]
    for ranges in [[], [0..<8], [1..<5], [0..<1, 2..<4, 7..<8], [2..<3, 3..<4, 4..<5]] {
      let joined = try parts.removing(ranges).flatMap { try $0.bytes() }
      #expect(joined == (0..<8).filter { value in !ranges.contains { $0.contains(Int(value)) } })
    }
  }
}
