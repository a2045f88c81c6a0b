// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Corrections of stored samples") struct StoredCorrectionsTests {
  private static func applied(
    _ opcodes: OpcodeBytes.Opcode..., to codes: [Int], width: Int, planes: Int = 1
  ) throws -> [UInt16] {
    var file = SyntheticDNG(width: width, height: codes.count / planes / width, planes: planes)
    file.main.chunks = [codes.flatMap { file.number($0, 2) }]
    file.main.entries[51_008] = OpcodeBytes.list(opcodes)
    let dng = try SyntheticDNG.parsed(file)
    let parameters = try DevelopmentParameters(dng, limits: ImageLimits())
    #expect(parameters.notices.isEmpty)
    return try parameters.corrected(try dng.decodeRaw()).integers
  }

  private static func values(_ numbers: [Float]) -> [OpcodeBytes.Number] {
    [.int(numbers.count)] + numbers.map { .float($0) }
  }

  /// Bad pixels in rectangles of a black image of 512 by 512 photosites.
  private static func fixed(
    rectangles: Int, height: Int, steps: Int
  ) throws -> [UInt16] {
    let rectangle = [0, 0, height, 512].map { OpcodeBytes.Number.int($0) }
    let listed = OpcodeBytes.Opcode(
      identifier: 5,
      payload: [0, 0, rectangles].map { .int($0) }
        + (0..<rectangles).flatMap { _ in rectangle })
    let constant = OpcodeBytes.Opcode(identifier: 4, payload: [.int(0), .int(0)])
    let codes = [Int](repeating: 0, count: 512 * 512)
    let execution = Execution(budget: Execution.Budget(memory: 64 << 20, steps: steps))
    return try execution.run {
      Result { try applied(listed, constant, to: codes, width: 512) }
    }.get()
  }

  @Test("too many bad photosites are not replaced, without work for each")
  func manyBadPixels() throws {
    #expect(
      try Self.fixed(rectangles: 1 << 16, height: 512, steps: 1 << 15).allSatisfy { $0 == 0 })
  }

  @Test("rectangles of bad photosites are debited, also if they overlap")
  func overlappingRectangles() throws {
    #expect(try Self.fixed(rectangles: 4, height: 32, steps: 1 << 16).allSatisfy { $0 == 0 })
    let error = #expect(throws: ImageError.self) {
      try Self.fixed(rectangles: 1 << 12, height: 32, steps: 1 << 16)
    }
    #expect(error?.category == .limitExceeded)
  }

  @Test("tables and polynomials apply to code values, limited to 0 and 65535")
  func codes() throws {
    let all = OpcodeBytes.area([0, 0, 1, 4])
    let table: [OpcodeBytes.Number] = [7, 5, 65_535, 9].map { .code($0) }
    #expect(
      try Self.applied(
        .init(identifier: 7, payload: all + [.int(4)] + table), to: [0, 2, 3, 60_000], width: 4)
        == [7, 65_535, 9, 9])
    let polynomial = [.int(2)] + [-10.0, 2, 0.5].map { OpcodeBytes.Number.double($0) }
    #expect(
      try Self.applied(
        .init(identifier: 8, payload: all + polynomial), to: [1, 7, 100, 60_000], width: 4)
        == [0, 29, 5190, 65_535])
  }

  @Test("rows and columns, and gains")
  func rowsAndColumns() throws {
    let codes = [1000, 2000, 3000, 4000, 5000, 60_000]
    let all = OpcodeBytes.area([0, 0, 2, 3])
    func applied(_ identifier: Int, _ numbers: [Float]) throws -> [UInt16] {
      try Self.applied(
        .init(identifier: identifier, payload: all + Self.values(numbers)), to: codes, width: 3)
    }
    #expect(try applied(10, [-1500, 8000]) == [0, 500, 1500, 12_000, 13_000, 65_535])
    #expect(try applied(11, [1, 2, 3]) == [1001, 2002, 3003, 4001, 5002, 60_003])
    #expect(try applied(12, [2, 0.5]) == [2000, 4000, 6000, 2000, 2500, 30_000])
    #expect(try applied(13, [1, 0, 2]) == [1000, 0, 6000, 4000, 0, 65_535])
    let map: [OpcodeBytes.Number] =
      [.int(1), .int(1), .double(1), .double(1), .double(0), .double(0), .int(1), .float(1.25)]
    #expect(
      try Self.applied(.init(identifier: 9, payload: all + map), to: codes, width: 3)
        == [1250, 2500, 3750, 5000, 6250, 65_535])
  }

  @Test("opcodes for one plane, in sequence")
  func planes() throws {
    let second = OpcodeBytes.area([0, 0, 1, 2], planes: (1, 1))
    #expect(
      try Self.applied(
        .init(identifier: 10, payload: second + Self.values([60_000])),
        .init(identifier: 12, payload: second + Self.values([0.5])),
        to: [10, 20, 30, 40, 50_000, 60], width: 2, planes: 3)
        == [10, 30_010, 30, 40, 32_768, 60])
  }

  @Test("opcodes after TrimBounds are relative to the new origin")
  func trimmed() throws {
    let trim = OpcodeBytes.Opcode(identifier: 6, payload: [1, 2, 3, 4].map { .int($0) })
    let corner = OpcodeBytes.area([0, 0, 1, 1])
    let codes = (0..<20).map { 100 * $0 }
    #expect(
      try Self.applied(
        trim, .init(identifier: 10, payload: corner + Self.values([7])), to: codes, width: 5)
        == [707, 800, 1200, 1300])
  }
}
