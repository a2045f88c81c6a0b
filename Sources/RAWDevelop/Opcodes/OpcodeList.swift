// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Corrections at one of three stages of development.
///
/// Source: DNG 1.7.1, chapter 7.
struct OpcodeList: Sendable {
  enum Opcode: Sendable {
    case warp(OpcodeWarp)
    case point(PointOpcode)
    case badPixels(BadPixels)
    /// Area that remains; the following opcodes are relative to its origin.
    case trim(RawArea)
  }

  private(set) var opcodes: [Opcode] = []
  private(set) var notices: [Notice] = []

  static let empty = OpcodeList()

  /// Limit of opcodes, since each is a pass over the image.
  private static let maximumOpcodes = 128
  /// Limit of warps, since each is a resampling.
  private static let maximumWarps = 4
  /// Limit of the size of a list.
  private static let maximumBytes = 1 << 26

  private init() {}

  /// Reads list 1, 2 or 3; empty if the directory has none.
  ///
  /// - Throws: `.malformed` and `.truncated` for a damaged list, `.unsupported` for an unknown
  ///   opcode that is not optional.
  init(_ directory: DNGDirectory, list: Int) throws(ImageError) {
    let tag = TIFFTag.opcodeLists[list - 1]
    guard let bytes = try directory.bytes(tag, atMost: Self.maximumBytes) else { return }
    do throws(ImageError) {
      try parse(bytes, fileOffset: directory.entries[tag]?.values.lowerBound ?? 0, list: list)
    } catch {
      throw (directory.path + ["OpcodeList\(list)"]).reversed()
        .reduce(error) { $0.inside($1) }
    }
  }

  /// Debits the passes over the image.
  ///
  /// - Parameter samples: Number of samples of the image; of list 3, which applies to all colors of a
  ///   pixel at once, number of pixels.
  /// - Throws: `.limitExceeded` if the budget does not suffice.
  func debitPasses(over samples: Int) throws(ImageError) {
    let steps = opcodes.reduce(0.0) { steps, opcode in
      let (weight, area) = Self.cost(of: opcode)
      return steps + weight * min(area?.sampleCount ?? .infinity, Double(samples)) / 32
    }
    try Execution.current.budget.debit(steps: Int(clamping: steps), for: "opcodes")
  }

  /// Time for each sample, relative to a delta for each row, and the area.
  ///
  /// Measured on a Bayer image: 3.5 ns for a delta, 5 for a table, 2.4 for a coefficient of a
  /// polynomial, 13 for a gain map, 50 for a vignette, 120 for a warp and 270 for one of each color.
  /// Warps, which are few, count as vignettes, so that 100 megapixels with one of each are accepted.
  private static func cost(of opcode: Opcode) -> (weight: Double, area: OpcodeArea?) {
    switch opcode {
    case .warp: return (12, nil)
    case .badPixels, .trim: return (1, nil)
    case .point(let point):
      let weight: Double =
        switch point.effect {
        case .vignette: 12
        case .gainMap: 4
        case .table: 2
        case .polynomial(let coefficients): Double(coefficients.count)
        case .deltaPerRow, .deltaPerColumn, .scalePerRow, .scalePerColumn: 1
        }
      return (weight, point.area)
    }
  }

  /// Leaves out warps of list 3 that shrink a part of an image too much, with a notice for each.
  ///
  /// - Parameter size: Size of the image before the list.
  mutating func removeImpossibleWarps(of size: (width: Int, height: Int)) {
    var scale = 1.0
    var kept: [Opcode] = []
    for step in steps(from: size) {
      guard case .warp(let warp) = step.opcode else {
        kept.append(step.opcode)
        continue
      }
      let own = warp.sized(step.size).largestScale(step.size)
      // Infinite and undefined scales as well.
      guard scale * own <= Self.largestScale else {
        notices.append(
          Notice(
            .irregular,
            "not used: lens correction that would shrink a part of the image to less than a "
              + "quarter",
            at: .init(path: ["OpcodeList3"])))
        continue
      }
      scale *= max(own, 1)
      kept.append(step.opcode)
    }
    opcodes = kept
  }

  /// Limit of the scale of all warps together, above what corrects a lens.
  private static let largestScale = 4.0

  private mutating func parse(_ bytes: [UInt8], fileOffset: Int, list: Int) throws(ImageError) {
    var reader = ByteReader(bytes.span, fileOffset: fileOffset)
    let count = Int(try reader.readBigEndian(as: UInt32.self))
    guard count <= Self.maximumOpcodes else {
      throw reader.error(.tooManyElements, ["limit": Self.maximumOpcodes, "elements": "opcodes"])
    }
    let budget = Execution.current.budget
    try budget.debit(elements: count, of: "opcodes", at: .init(offset: fileOffset))
    // Numbers of bad pixels take twice as much as their bytes, and three times while they grow.
    try budget.debit(memory: 4 * bytes.count, for: "opcodes", at: .init(offset: fileOffset))
    var (skipsWarp, warpCount) = (false, 0)
    for _ in 0..<count {
      let place = reader.fileOffset
      let identifier = Int(try reader.readBigEndian(as: UInt32.self))
      let version: UInt32 = try reader.readBigEndian()
      let isOptional = try reader.readBigEndian(as: UInt32.self) & 1 != 0
      let size: UInt32 = try reader.readBigEndian()
      var payload = try reader.readSlice(Int(size))
      defer { skipsWarp = identifier == 14 }
      // WarpRectilinear after WarpRectilinear2 is the fallback for older readers.
      if skipsWarp, identifier == 1 || identifier == 2 { continue }
      let isKnown = version <= 0x0107_0100
      let known: Opcode?
      do throws(ImageError) {
        known = isKnown ? try Self.opcode(identifier, &payload, list: list) : nil
      } catch {
        guard error.code == .valueNotFinite else { throw error }
        notices.append(Self.unbounded(identifier, list: list, at: place))
        continue
      }
      if let opcode = known {
        if case .point(let point) = opcode, !point.isBounded {
          notices.append(Self.unbounded(identifier, list: list, at: place))
          continue
        }
        if case .warp = opcode { warpCount += 1 }
        guard warpCount <= Self.maximumWarps else {
          throw ImageError(
            .tooManyElements, ["limit": Self.maximumWarps, "elements": "warps"],
            at: .init(offset: place))
        }
        opcodes.append(opcode)
        continue
      }
      guard isOptional else {
        throw ImageError(
          .unsupported, "opcode {opcode} in list {list} is required and not supported",
          ["opcode": identifier, "list": list], at: .init(offset: place))
      }
      notices.append(
        Notice(
          .dropped, "not applied: opcode {opcode} (unknown, marked as optional)",
          ["opcode": identifier],
          at: .init(path: ["OpcodeList\(list)"], offset: place)))
    }
  }

  private static func unbounded(_ identifier: Int, list: Int, at place: Int) -> Notice {
    Notice(
      .irregular,
      "not applied: opcode {opcode} (its coefficients are undefined or far beyond those of a lens)",
      ["opcode": identifier], at: .init(path: ["OpcodeList\(list)"], offset: place))
  }

  /// - Returns: `nil` for an unknown opcode, or one that is not allowed at this stage.
  private static func opcode(
    _ identifier: Int, _ reader: inout ByteReader, list: Int
  ) throws(ImageError) -> Opcode? {
    switch (identifier, list) {
    case (1, 3): return .warp(try OpcodeWarp(parsing: &reader, model: .rectilinear))
    case (2, 3): return .warp(try OpcodeWarp(parsing: &reader, model: .fisheye))
    case (14, 3):
      return .warp(try OpcodeWarp(parsing: &reader, model: .rectilinear2(isReciprocal: false)))
    case (3, _):
      return .point(PointOpcode(area: nil, effect: .vignette(try OpcodeVignette(parsing: &reader))))
    case (4, 1): return .badPixels(try .constant(parsing: &reader))
    case (5, 1), (5, 2): return .badPixels(try .list(parsing: &reader))
    case (6, _): return .trim(try trimBounds(&reader))
    case (7...13, _): return .point(try pointOpcode(identifier, &reader))
    default: return nil
    }
  }

  private static func trimBounds(_ reader: inout ByteReader) throws(ImageError) -> RawArea {
    let (top, left) = (try reader.readInteger(), try reader.readInteger())
    let (bottom, right) = (try reader.readInteger(), try reader.readInteger())
    guard top < bottom, left < right else {
      throw reader.error(
        .rawRectangleInvalid, ["top": top, "left": left, "bottom": bottom, "right": right])
    }
    return RawArea(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func pointOpcode(
    _ identifier: Int, _ reader: inout ByteReader
  ) throws(ImageError) -> PointOpcode {
    let area = try OpcodeArea(parsing: &reader)
    let effect: PointOpcode.Effect
    switch identifier {
    case 7:
      let count = try reader.readInteger()
      guard count > 0, count <= reader.remaining / 2 else {
        throw reader.error(.invalidValue, ["field": "number of table entries", "value": count])
      }
      var table: [UInt16] = []
      for _ in 0..<count { table.append(try reader.readBigEndian()) }
      effect = .table(table)
    case 8:
      let degree = try reader.readInteger()
      guard degree <= 8 else {
        throw reader.error(.invalidValue, ["field": "degree of the polynomial", "value": degree])
      }
      effect = .polynomial(try reader.readFiniteDoubles(degree + 1))
    case 9: effect = .gainMap(try OpcodeGainMap(parsing: &reader))
    default:
      let count = try reader.readInteger()
      let isPerRow = identifier == 10 || identifier == 12
      guard count >= (isPerRow ? area.rowCount : area.columnCount) else {
        throw reader.error(
          .invalidValue, ["field": "number of values for rows or columns", "value": count])
      }
      let values = try reader.readFiniteFloats(count)
      switch identifier {
      case 10: effect = .deltaPerRow(values)
      case 11: effect = .deltaPerColumn(values)
      case 12: effect = .scalePerRow(values)
      default: effect = .scalePerColumn(values)
      }
    }
    return PointOpcode(area: area, effect: effect)
  }
}

extension OpcodeList {
  /// An opcode and the area of the image to which it applies.
  struct Step: Sendable {
    let opcode: Opcode
    /// The area in the image before the list.
    fileprivate let bounds: RawArea

    /// Origin of the area in the image before the list.
    var origin: SIMD2<Int> { SIMD2(bounds.x, bounds.y) }
    var size: (width: Int, height: Int) { (bounds.width, bounds.height) }

    /// The area after the opcode.
    fileprivate var remains: RawArea {
      if case .trim(let area) = opcode { return bounds.part(area) }
      return bounds
    }
  }

  /// The opcodes with the areas that the preceding opcodes leave.
  ///
  /// - Parameter size: Size of the image before the list.
  /// - Returns: A step for each opcode.
  func steps(from size: (width: Int, height: Int)) -> [Step] {
    var bounds = RawArea(x: 0, y: 0, width: size.width, height: size.height)
    return opcodes.map { opcode in
      let step = Step(opcode: opcode, bounds: bounds)
      bounds = step.remains
      return step
    }
  }

  /// The area that TrimBounds opcodes leave of an image.
  ///
  /// - Throws: `.malformed` for bounds outside of the image.
  func bounds(
    of size: (width: Int, height: Int), list: Int, _ directory: DNGDirectory
  ) throws(ImageError) -> RawArea {
    let steps = steps(from: size)
    for step in steps {
      guard case .trim(let area) = step.opcode else { continue }
      let (width, height) = step.size
      guard area.columns.upperBound <= width, area.rows.upperBound <= height else {
        throw directory.error(
          .malformed, "TrimBounds to rows {rows} and columns {columns} of an image of {size}",
          TIFFTag.opcodeLists[list - 1],
          ["rows": "\(area.rows)", "columns": "\(area.columns)", "size": .size(width, height)])
      }
    }
    return steps.last?.remains ?? RawArea(x: 0, y: 0, width: size.width, height: size.height)
  }
}

extension RawArea {
  /// A part of this area, given relative to its origin.
  func part(_ part: RawArea) -> RawArea {
    RawArea(x: x + part.x, y: y + part.y, width: part.width, height: part.height)
  }
}

/// Corrections of stored samples before levels are applied: opcode list 1.
///
/// Source: DNG 1.7.1, chapter 7: after each opcode, samples are clipped to 0...65535.
struct StoredCorrections {
  let list: OpcodeList
  /// Rows and columns of the filter pattern; `nil` if samples are not a mosaic.
  let pattern: (rows: Int, columns: Int)?

  /// Samples after all opcodes, trimmed to their bounds.
  ///
  /// - Throws: `.limitExceeded` if memory or work for bad pixels exceeds the budget.
  func applied(to samples: RawSamples) throws(ImageError) -> RawSamples {
    guard !list.opcodes.isEmpty else { return samples }
    switch samples.rows {
    case .integer(var plane):
      for opcode in list.opcodes {
        switch opcode {
        case .badPixels(let bad):
          if let pattern { try bad.fix(&plane, pattern: pattern, origin: .zero) }
        case .point(let point):
          change(
            &plane, by: point, planes: samples.planeCount, peak: 65_535, load: Float.init,
            store: { UInt16(clamping: min(max($0, 0), 65_535).rounded()) })
        case .trim(let area): plane = Self.part(area, of: plane, planes: samples.planeCount)
        case .warp: continue
        }
      }
      return RawSamples(planeCount: samples.planeCount, rows: .integer(plane))
    case .float(var plane):
      for opcode in list.opcodes {
        switch opcode {
        case .point(let point):
          change(
            &plane, by: point, planes: samples.planeCount, peak: 1, load: { $0 },
            store: { max($0, 0) })
        case .trim(let area): plane = Self.part(area, of: plane, planes: samples.planeCount)
        case .badPixels, .warp: continue
        }
      }
      return RawSamples(planeCount: samples.planeCount, rows: .float(plane))
    }
  }

  private func change<Sample>(
    _ samples: inout Plane<Sample>, by opcode: PointOpcode, planes: Int, peak: Float,
    load: (Sample) -> Float, store: (Float) -> Sample
  ) {
    let size = (width: samples.width / planes, height: samples.height)
    var row = [Float](repeating: 0, count: size.width)
    for y in 0..<size.height where opcode.area?.index(ofRow: y) != nil || opcode.area == nil {
      for plane in 0..<planes where opcode.area?.planes.contains(plane) ?? true {
        var stored = samples.mutableRow(y)
        for x in 0..<size.width { row[x] = load(stored[x * planes + plane]) }
        opcode.apply(
          to: &row, at: 0, row: y, columns: 0..<size.width, plane: plane, size: size, peak: peak)
        for x in 0..<size.width { stored[x * planes + plane] = store(row[x]) }
      }
    }
  }

  private static func part<Sample>(
    _ area: RawArea, of samples: Plane<Sample>, planes: Int
  ) -> Plane<Sample> {
    Plane(width: area.width * planes, height: area.height) { output in
      for y in area.rows {
        let row = samples.row(y)
        for x in area.x * planes..<area.columns.upperBound * planes { output.append(row[x]) }
      }
    }
  }
}
