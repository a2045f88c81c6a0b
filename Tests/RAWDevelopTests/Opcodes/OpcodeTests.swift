// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Opcodes") struct OpcodeTests {
  private static func list(
    _ value: SyntheticDNG.Value, _ list: Int = 2
  ) throws -> OpcodeList {
    var file = SyntheticDNG(width: 8, height: 8)
    file.main.entries[[51_008, 51_009, 51_022][list - 1]] = value
    return try OpcodeList(SyntheticDNG.parsed(file).raw.directory, list: list)
  }

  /// The samples of an 8 by 6 image, all `value`, after an opcode.
  private static func applied(
    _ opcode: OpcodeBytes.Opcode, to value: Float, plane: Int = 0
  ) throws -> [[Float]] {
    let opcodes = try list(OpcodeBytes.list(opcode)).opcodes
    return (0..<6).map { y in
      var row = [Float](repeating: value, count: 10)
      for case .point(let point) in opcodes {
        point.apply(
          to: &row, at: 1, row: y, columns: 0..<8, plane: plane, size: (width: 8, height: 6))
      }
      #expect(row[0] == value && row[9] == value)
      return Array(row[1..<9])
    }
  }

  @Test("polynomials, tables and their areas")
  func pointwise() throws {
    let area = OpcodeBytes.area([1, 2, 5, 8], pitch: (2, 3))
    let polynomial = try Self.applied(
      .init(
        identifier: 8,
        payload: area + [.int(2), .double(0.1), .double(0.5), .double(0.25)]), to: 0.4)
    for (y, row) in polynomial.enumerated() {
      for (x, value) in row.enumerated() {
        let isInside = [1, 3].contains(y) && [2, 5].contains(x)
        #expect(abs(value - (isInside ? 0.1 + 0.2 + 0.04 : 0.4)) < 1e-6)
      }
    }
    let codes: [OpcodeBytes.Number] = (0..<4).map { .code($0 * 20_000) }
    let all = OpcodeBytes.area([0, 0, 6, 8], planes: (1, 2))
    let table = OpcodeBytes.Opcode(identifier: 7, payload: all + [.int(4)] + codes)
    #expect(try Self.applied(table, to: 2 / 65_535, plane: 1)[3][3] == 40_000 / 65_535)
    #expect(try Self.applied(table, to: 0.5, plane: 2)[0][7] == 60_000 / 65_535)
    #expect(try Self.applied(table, to: 0.5, plane: 0)[0][7] == 0.5)
  }

  /// Coefficients whose results would be infinite or undefined, which end a conversion to integers.
  @Test(
    "opcodes without bounds are ignored",
    arguments: [
      (3, [1e300, 1e300, 1e300, 1e300, 1e300, 0.5, 0.5].map { .double($0) }),
      (8, OpcodeBytes.area([0, 0, 6, 8]) + [.int(1), .double(0), .double(1e200)]),
      (
        9,
        OpcodeBytes.area([0, 0, 6, 8]) + [.int(1), .int(2), .double(1), .double(1), .double(0)]
          + [.double(0), .int(1), .float(3.4e38), .float(-3.4e38)]
      ),
      (10, OpcodeBytes.area([0, 0, 1, 8]) + [.int(1), .float(-3e38)]),
      (13, OpcodeBytes.area([0, 0, 6, 1]) + [.int(1), .float(3e38)]),
      (13, OpcodeBytes.area([0, 0, 6, 1]) + [.int(1), .float(.nan)]),
      (2, [.int(1)] + [.nan, 0, 0, 0, 0.5, 0.5].map { .double($0) }),
      (8, OpcodeBytes.area([0, 0, 6, 8]) + [.int(1), .double(0), .double(.infinity)]),
    ] as [(Int, [OpcodeBytes.Number])])
  func unbounded(identifier: Int, payload: [OpcodeBytes.Number]) throws {
    let list = try Self.list(
      OpcodeBytes.list(.init(identifier: identifier, payload: payload)), identifier < 4 ? 3 : 2)
    #expect(list.opcodes.isEmpty)
    #expect(
      list.notices.map(\.code.english) == [
        "not applied: opcode {opcode} (its coefficients are undefined or far beyond those of a lens)"
      ])
  }

  /// Samples that are not numbers, as files with floating-point samples can store them.
  @Test("opcodes make numbers of all samples")
  func notANumber() throws {
    let area = OpcodeBytes.area([0, 0, 6, 8])
    let table = OpcodeBytes.Opcode(identifier: 7, payload: area + [.int(1), .code(9)])
    let scale = OpcodeBytes.Opcode(
      identifier: 12, payload: area + [.int(6)] + (0..<6).map { _ in .float(2) })
    for opcode in [table, scale] {
      var row: [Float] = [.nan, .infinity, -.infinity, 0.25]
      for case .point(let point) in try Self.list(OpcodeBytes.list(opcode)).opcodes {
        point.apply(
          to: &row, at: 0, row: 0, columns: 0..<4, plane: 0, size: (width: 8, height: 6))
      }
      #expect(row.allSatisfy { (-1...1).contains($0) })
    }
  }

  @Test("deltas and scales of rows and columns")
  func rowsAndColumns() throws {
    let area = OpcodeBytes.area([2, 1, 6, 7], pitch: (2, 2))
    func values(_ numbers: Float...) -> [OpcodeBytes.Number] {
      [.int(numbers.count)] + numbers.map { .float($0) }
    }
    let added = try Self.applied(
      .init(identifier: 10, payload: area + values(0.1, -0.5)), to: 0.25)
    #expect(added[2][1] == 0.35 && added[4][5] == 0 && added[3][1] == 0.25 && added[2][2] == 0.25)
    let columns = try Self.applied(
      .init(identifier: 11, payload: area + values(0.1, 0.2, 0.3)), to: 0.25)
    #expect(columns[4][1] == 0.35 && columns[4][3] == 0.45 && columns[2][5] == 0.55)
    let scaled = try Self.applied(
      .init(identifier: 12, payload: area + values(2, 8)), to: 0.25)
    #expect(scaled[2][3] == 0.5 && scaled[4][3] == 1 && scaled[5][3] == 0.25)
    let across = try Self.applied(
      .init(identifier: 13, payload: area + values(2, 3, 0.5)), to: 0.25)
    #expect(across[2][1] == 0.5 && across[2][3] == 0.75 && across[4][5] == 0.125)
    #expect(throws: ImageError.self) {
      try Self.list(OpcodeBytes.list(.init(identifier: 13, payload: area + values(2, 3))))
    }
  }

  @Test("each opcode of a list is a step of work")
  func work() throws {
    let opcode = OpcodeBytes.Opcode(
      identifier: 10,
      payload: OpcodeBytes.area([0, 0, 1, 8]) + [.int(1), .float(0)])
    let steps = try [32, 64, 128].map { count in
      let execution = Execution()
      try execution.perform {
        _ = try Self.list(OpcodeBytes.list([OpcodeBytes.Opcode](repeating: opcode, count: count)))
      }
      return execution.budget.spentSteps
    }
    #expect(steps[0] >= 32)
    for (before, after) in zip(steps, steps.dropFirst()) {
      #expect(Double(after) < 2.3 * Double(before), "\(steps)")
    }
  }

  @Test("gains are interpolated between points, in the area only")
  func gainMap() throws {
    let gains: [Float] = [1, 2, 3, 2, 4, 6]
    let payload: [OpcodeBytes.Number] =
      OpcodeBytes.area([0, 1, 6, 8], pitch: (2, 2)) + [.int(2), .int(3)]
      + [.double(1), .double(0.5), .double(0), .double(0), .int(1)] + gains.map { .float($0) }
    let rows = try Self.applied(.init(identifier: 9, payload: payload), to: 0.125)
    for y in 0..<6 {
      for x in 0..<8 {
        guard y % 2 == 0, x % 2 == 1 else {
          #expect(rows[y][x] == 0.125)
          continue
        }
        // The gains are 1 + 2 u, and twice that at the bottom.
        let (u, v) = ((Float(x) + 0.5) / 8, (Float(y) + 0.5) / 6)
        #expect(abs(rows[y][x] - 0.125 * (1 + 2 * u) * (1 + v)) < 1e-6)
      }
    }
  }

  @Test("a gain map for each photosite of a Bayer square")
  func phone() throws {
    var file = SyntheticDNG(width: 20, height: 16)
    let light = 3000
    file.main.chunks = [(0..<320).flatMap { _ in file.number(light, 2) }]
    let maps = (0..<4).map { phase in
      OpcodeBytes.Opcode(
        identifier: 9,
        payload: OpcodeBytes.area([phase / 2, phase % 2, 16, 20], pitch: (2, 2))
          + [.int(1), .int(1), .double(1), .double(1), .double(0), .double(0), .int(1)]
          + [.float(Float(phase + 2))])
    }
    file.main.entries[51_009] = OpcodeBytes.list(maps[0], maps[1], maps[2], maps[3])
    // A camera that sees XYZ, under the white of equal energy.
    file.main.entries[50_729] = .rationals([1 / 3.0, 1 / 3.0])
    var development = RawDevelopment.sceneLinear
    development.isSceneLinear = true
    let document = try file.document(development)
    #expect(document.notices.isEmpty)
    // Red is twice, blue five times what it was; both greens mix.
    let found = try document.light()
    let rgb = SIMD3(Double(found[0][8][8]), Double(found[1][8][8]), Double(found[2][8][8]))
    let seen = ColorPrimaries.bt2020.rgbToXYZ * rgb * 65_535 / Double(light)
    let adapted =
      ChromaticAdaptation.bradford.matrix(from: .d65, to: Chromaticity(x: 1 / 3.0, y: 1 / 3.0))
      * seen
    #expect(abs(adapted.x - 2) < 0.02 && abs(adapted.z - 5) < 0.02)
    #expect(adapted.y > 3 - 0.02 && adapted.y < 4.02)
  }

  @Test("vignetting, in either list")
  func vignette() throws {
    let payload: [OpcodeBytes.Number] = [0.5, 0.25, 0, 0, 0.1, 0.5, 0.5].map { .double($0) }
    let rows = try Self.applied(.init(identifier: 3, payload: payload), to: 0.25)
    for (x, y) in [(0, 0), (4, 3), (7, 1)] {
      let (dx, dy) = (Double(x) + 0.5 - 4, Double(y) + 0.5 - 3)
      let r2 = (dx * dx + dy * dy) / 25
      let gain = 1 + 0.5 * r2 + 0.25 * r2 * r2 + 0.1 * pow(r2, 5)
      #expect(abs(Double(rows[y][x]) - 0.25 * gain) < 1e-6)
    }
    #expect(
      try Self.list(OpcodeBytes.list(.init(identifier: 3, payload: payload)), 3).opcodes.count == 1)
  }

  @Test("unknown opcodes and damaged lists")
  func unknown() throws {
    let optional = OpcodeBytes.Opcode(identifier: 99, isOptional: true, payload: [.int(7)])
    let list = try Self.list(OpcodeBytes.list(optional))
    #expect(list.opcodes.isEmpty && list.notices.count == 1)
    let mandatory = #expect(throws: ImageError.self) {
      try Self.list(OpcodeBytes.list(.init(identifier: 99, payload: [])))
    }
    #expect(mandatory?.category == .unsupported)
    #expect(mandatory?.location.path == ["IFD0", "OpcodeList2"])
    let polynomial = OpcodeBytes.list(
      .init(identifier: 8, payload: OpcodeBytes.area([0, 0, 6, 8]) + [.int(0), .double(1)]))
    let bytes = try #require(polynomial.undefinedBytes)
    for count in 1..<bytes.count {
      #expect(throws: ImageError.self) { try Self.list(.undefined(Array(bytes[..<count]))) }
    }
    #expect(throws: ImageError.self) { try Self.list(.undefined([255, 255, 255, 255])) }
    // One warp costs a resampling of the image; a file could ask for many.
    let warp = OpcodeBytes.Opcode(
      identifier: 2,
      payload: [.int(1)] + [1, 0, 0, 0, 0.5, 0.5].map { OpcodeBytes.Number.double($0) })
    #expect(try Self.list(OpcodeBytes.list(warp, warp, warp, warp), 3).opcodes.count == 4)
    let many = #expect(throws: ImageError.self) {
      try Self.list(OpcodeBytes.list(warp, warp, warp, warp, warp), 3)
    }
    #expect(many?.category == .limitExceeded)
  }

  /// The budget limits passes over the image; a polynomial costs one for each coefficient.
  @Test func workOfPolynomials() throws {
    let polynomial = OpcodeBytes.Opcode(
      identifier: 8,
      payload: OpcodeBytes.area([0, 0, 100, 32]) + [
        .int(3), .double(0), .double(1), .double(0), .double(0),
      ])
    let list = try Self.list(OpcodeBytes.list(polynomial, polynomial))
    let execution = Execution(budget: Execution.Budget(steps: 8 * 100))
    try execution.run { () throws(ImageError) in try list.debitPasses(over: 100 << 5) }
    #expect(execution.budget.spentSteps == 8 * 100)
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in try list.debitPasses(over: 1 << 5) }
    }
    #expect(error?.code.id == "budget/work-exceeded")
  }

  @Test("warps that would take several times the area of a tile are left out with a notice")
  func impossibleWarps() throws {
    func warp(_ radial: [Double], _ tangential: [Double] = [0, 0]) -> OpcodeBytes.Opcode {
      OpcodeBytes.Opcode(
        identifier: 1,
        payload: [.int(1)] + (radial + tangential + [0.5, 0.5]).map { .double($0) })
    }
    let usual = warp([1.02, -0.05, 0.03, 0], [0.001, 0])
    for (opcodes, kept) in [
      ([usual, usual], 2), ([warp([-5, 3, -3, 3], [-3, 3])], 0),
      ([warp([1e30, 0, 0, 0]), usual], 1), ([warp([3, 0, 0, 0]), usual, warp([3, 0, 0, 0])], 2),
    ] {
      var list = try Self.list(OpcodeBytes.list(opcodes), 3)
      list.removeImpossibleWarps(of: (400, 300))
      #expect(list.opcodes.count == kept && list.notices.count == opcodes.count - kept)
    }
  }

  @Test("bad photosites are replaced by the mean of neighbors of the same color")
  func badPixels() throws {
    var file = SyntheticDNG(width: 12, height: 10)
    // Each color of the square has a value of its own; some photosites do not work.
    let bad: Set = [4 * 12 + 5, 4 * 12 + 7, 0, 9 * 12 + 11, 6 * 12 + 2, 6 * 12 + 3]
    let values: [Int] = (0..<120).map { place in
      let (row, column) = (place / 12 % 2, place % 2)
      return 1000 * (2 * row + column + 1)
    }
    let codes: [Int] = values.indices.map { bad.contains($0) ? 65_535 : values[$0] }
    file.main.chunks = [codes.flatMap { file.number($0, 2) }]
    let expected = values.map { UInt16($0) }
    let constant = OpcodeBytes.list(
      .init(identifier: 4, payload: [.int(65_535), .int(0)]))
    // Points and rectangles: rows before columns.
    let numbers = [0, 4, 1, 4, 5, 4, 7, 0, 0, 9, 11, 6, 2, 7, 4]
    let listed = OpcodeBytes.list(
      .init(identifier: 5, payload: numbers.map { OpcodeBytes.Number.int($0) }))
    for list in [constant, listed] {
      file.main.entries[51_008] = list
      let dng = try SyntheticDNG.parsed(file)
      let parameters = try DevelopmentParameters(dng, limits: ImageLimits())
      let samples = try parameters.corrected(try dng.decodeRaw())
      #expect(samples.integers == expected)
    }
  }

  /// An image with a horizontal ramp in red and a vertical ramp in green.
  private struct Ramps: CameraRows {
    func make(
      rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
    ) {
      var row = LinearRow(width: columns.count, hasAlpha: false)
      for y in rows {
        for x in columns {
          row.red[x - columns.lowerBound] = Float(x) + 0.5
          row.green[x - columns.lowerBound] = Float(y) + 0.5
          row.blue[x - columns.lowerBound] = Float(x) + 0.5
        }
        body(y, &row)
      }
    }
  }

  private static func warp(_ identifier: Int, _ numbers: [OpcodeBytes.Number]) throws -> OpcodeWarp
  {
    let list = try list(OpcodeBytes.list(.init(identifier: identifier, payload: numbers)), 3)
    guard case .warp(let warp) = list.opcodes.first else {
      throw ImageError(ErrorCode("test", .malformed, "no warp"))
    }
    return warp
  }

  private static func warped(_ warp: OpcodeWarp) -> [[SIMD3<Float>]] {
    let rows = WarpedRows(base: Ramps(), warp: warp.sized((60, 40)), size: (60, 40))
    var found: [[SIMD3<Float>]] = []
    rows.make(rows: 10..<30, columns: 12..<50) { _, row in
      found.append(row.red.indices.map { SIMD3(row.red[$0], row.green[$0], row.blue[$0]) })
    }
    return found
  }

  @Test("identity warps change nothing")
  func identityWarps() throws {
    let center: [OpcodeBytes.Number] = [.double(0.5), .double(0.5)]
    let plain = [.int(1)] + [1, 0, 0, 0, 0, 0].map { OpcodeBytes.Number.double($0) } + center
    let long =
      [.int(1)] + ([1.0] + Array(repeating: 0, count: 16) + [0, 1]).map { .double($0) }
      + center + [.int(0)]
    for warp in [try Self.warp(1, plain), try Self.warp(14, long)] {
      for (y, row) in Self.warped(warp).enumerated() {
        for (x, value) in row.enumerated() {
          let place = SIMD3(Float(x) + 12.5, Float(y) + 10.5, Float(x) + 12.5)
          #expect((value - place).max() < 1e-4 && (value - place).min() > -1e-4)
        }
      }
    }
  }

  @Test("radial and tangential distortion of each plane")
  func warps() throws {
    let sets = [
      [1.02, -0.03, 0.01, 0, 0.002, -0.003], [1, 0, 0, 0, 0, 0], [0.98, 0.02, 0, 0, 0, 0],
    ]
    let warp = try Self.warp(
      1, [.int(3)] + sets.joined().map { .double($0) } + [.double(0.45), .double(0.6)])
    let (cx, cy) = (0.45 * 60, 0.6 * 40)
    let reach = hypot(max(cx, 60 - cx), max(cy, 40 - cy))
    for (y, row) in Self.warped(warp).enumerated() {
      for (x, value) in row.enumerated() {
        let (dx, dy) = ((Double(x) + 12.5 - cx) / reach, (Double(y) + 10.5 - cy) / reach)
        let r2 = dx * dx + dy * dy
        func source(_ k: [Double]) -> (x: Double, y: Double) {
          let f = k[0] + k[1] * r2 + k[2] * r2 * r2
          return (
            cx + reach * (dx * f + k[4] * 2 * dx * dy + k[5] * (r2 + 2 * dx * dx)),
            cy + reach * (dy * f + k[5] * 2 * dx * dy + k[4] * (r2 + 2 * dy * dy))
          )
        }
        #expect(abs(Double(value.x) - source(sets[0]).x) < 1e-3)
        #expect(abs(Double(value.y) - (Double(y) + 10.5)) < 1e-3)
        #expect(abs(Double(value.z) - source(sets[2]).x) < 1e-3)
      }
    }
  }

  @Test("fisheye warps")
  func fisheye() throws {
    let warp = try Self.warp(
      2, [.int(1), .double(1), .double(0.1), .double(0), .double(0), .double(0.5), .double(0.5)])
    let reach = hypot(30.0, 20)
    let value = Self.warped(warp)[5][30]
    let (dx, dy) = ((42.5 - 30) / reach, (15.5 - 20) / reach)
    let (radius, angle) = (hypot(dx, dy), atan(hypot(dx, dy)))
    let ratio = (angle + 0.1 * pow(angle, 3)) / radius
    #expect(abs(Double(value.x) - (30 + reach * dx * ratio)) < 1e-3)
    #expect(abs(Double(value.y) - (20 + reach * dy * ratio)) < 1e-3)
  }

  @Test("WarpRectilinear after WarpRectilinear2 is skipped")
  func newerWarp() throws {
    let center: [OpcodeBytes.Number] = [.double(0.5), .double(0.5)]
    let plain = OpcodeBytes.Opcode(
      identifier: 1,
      payload: [.int(1)] + [1, 0, 0, 0, 0, 0].map { OpcodeBytes.Number.double($0) } + center)
    let newer = OpcodeBytes.Opcode(
      identifier: 14, isOptional: true,
      payload: [.int(1)] + ([1.0] + Array(repeating: 0, count: 16) + [0, 1]).map { .double($0) }
        + center + [.int(0)])
    #expect(try Self.list(OpcodeBytes.list(newer, plain), 3).opcodes.count == 1)
    #expect(try Self.list(OpcodeBytes.list(plain, newer), 3).opcodes.count == 2)
  }
}
