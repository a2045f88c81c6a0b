// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The ends of scans, and whether they contain all blocks of the image.
///
/// Scans are decoded as far as their lengths require: Huffman codes, and for progressive images
/// which coefficients are not 0. Coefficients are not computed.
///
/// Source: ITU-T T.81, F.2.2 and G.1.2.
struct JPEGCompleteness {
  private struct Component {
    var horizontal: Int
    var vertical: Int
    /// Blocks of the component itself, without those that complete the last MCUs.
    var width: Int
    var height: Int
    /// Blocks in a row of MCUs.
    var stride: Int
    /// Blocks with those that complete the last MCUs.
    var count: Int
    /// For each block, the coefficients that are not 0; empty unless the image is progressive.
    var nonzero: [UInt64] = []
    /// The last bit of each coefficient that was coded; `nil` for none.
    var precision = [Int?](repeating: nil, count: 64)
  }

  private struct Scan {
    var components: [(index: Int, dc: HuffmanTable?, ac: HuffmanTable?)]
    var first: Int
    var last: Int
    var high: Int
    var low: Int
  }

  private let isProgressive: Bool
  private var components: [Component]
  private let identifiers: [UInt8]
  private let mcusAcross: Int
  private let mcusDown: Int
  private var tables: [UInt8: HuffmanTable] = [:]
  private var restartInterval = 0
  /// Number of bytes of the last scan up to its last block.
  private var consumed = 0

  /// - Returns: `nil` for processes other than sequential and progressive Huffman coding, for
  ///   images whose height is in a DNL marker, and for components that cannot be told apart.
  init?(_ frame: JPEGFrame) {
    identifiers = frame.components.map(\.identifier)
    guard [0xC0, 0xC1, 0xC2].contains(frame.marker.rawValue), frame.height > 0,
      frame.components.count <= 4, Set(identifiers).count == identifiers.count
    else { return nil }
    isProgressive = frame.marker.rawValue == 0xC2
    let most = (
      frame.components.map(\.horizontalSampling).max() ?? 1,
      frame.components.map(\.verticalSampling).max() ?? 1
    )
    mcusAcross = (frame.width - 1) / (8 * most.0) + 1
    mcusDown = (frame.height - 1) / (8 * most.1) + 1
    components = []
    for component in frame.components {
      let (across, down) = (component.horizontalSampling, component.verticalSampling)
      let columns = (frame.width * across - 1) / most.0 + 1
      let rows = (frame.height * down - 1) / most.1 + 1
      let count = mcusAcross * across * mcusDown * down
      components.append(
        Component(
          horizontal: across, vertical: down, width: (columns - 1) / 8 + 1,
          height: (rows - 1) / 8 + 1, stride: mcusAcross * across, count: count))
    }
  }

  /// Whether all coefficients were coded to their last bit.
  var isComplete: Bool {
    components.allSatisfy { component in
      isProgressive
        ? component.precision.allSatisfy { $0 == 0 } : component.precision[0] != nil
    }
  }

  /// Takes a segment before or between scans.
  private mutating func take(_ segment: JPEGSegment) {
    let payload = segment.payload
    switch segment.marker.rawValue {
    case 0xC4: takeTables(payload)
    case 0xDD where payload.count >= 2: restartInterval = Int(payload[0]) << 8 | Int(payload[1])
    default: break
    }
  }

  private mutating func takeTables(_ payload: [UInt8]) {
    var rest = payload[...]
    while rest.count >= 17, let key = rest.popFirst() {
      let counts = rest.prefix(16).map(Int.init)
      rest = rest.dropFirst(16)
      let total = counts.reduce(0, +)
      guard total <= rest.count, let table = HuffmanTable(counts, Array(rest.prefix(total))) else {
        return
      }
      tables[key] = table
      rest = rest.dropFirst(total)
    }
  }

  /// Decodes the scans of an image in order, up to one that does not contain all its blocks.
  ///
  /// - Parameters:
  ///   - parts: The parts of the image.
  ///   - source: The file.
  /// - Returns: The ranges of the decoded scans with the ends of their last blocks, and whether all
  ///   scans were decoded.
  /// - Throws: Errors of reading, and `.limitExceeded` for more work than the budget allows.
  mutating func decodeScans(
    of parts: [JPEGImage.Part], in source: ByteSource
  ) throws(ImageError) -> (ends: [(scan: Range<Int>, end: Int)], areAll: Bool) {
    let budget = Execution.current.budget
    let size = parts.reduce(0) { size, part in
      if case .scan(let range) = part { size + range.count } else { size }
    }
    // Each block has a DC code of at least one bit; T.81, F.1.2 and G.1.2.
    guard components.allSatisfy({ $0.width * $0.height <= 8 * size }) else { return ([], false) }
    let count = components.reduce(0) { $0 + $1.count }
    try budget.debit(steps: count >> 4, for: "scans")
    if isProgressive { try budget.require(memory: 8 * count, for: "scans") }
    for index in components.indices where isProgressive {
      components[index].nonzero = [UInt64](repeating: 0, count: components[index].count)
    }
    var ends: [(scan: Range<Int>, end: Int)] = []
    var header: JPEGSegment?
    for part in parts {
      switch part {
      case .segment(let segment):
        if segment.marker == .startOfScan { header = segment } else { take(segment) }
      case .scan(let range):
        guard let header else { return (ends, false) }
        let isDecoded = try budget.reserving(memory: range.count, for: "scans") {
          () throws(ImageError) in try decode(header, try source.bytes(in: range))
        }
        guard isDecoded else { return (ends, false) }
        ends.append((range, range.lowerBound + consumed))
      case .stray, .copied: break
      }
    }
    return (ends, true)
  }

  /// Decodes a scan.
  ///
  /// - Parameters:
  ///   - header: The SOS segment.
  ///   - data: The coded data, with restart markers.
  /// - Returns: Whether the data contain all blocks of the scan.
  /// - Throws: `.limitExceeded` for more work than the budget allows.
  private mutating func decode(_ header: JPEGSegment, _ data: [UInt8]) throws(ImageError) -> Bool {
    guard let scan = scan(header) else { return false }
    var bits = JPEGBits(data)
    let isInterleaved = scan.components.count > 1
    let only = scan.components[0].index
    let across = isInterleaved ? mcusAcross : components[only].width
    let down = isInterleaved ? mcusDown : components[only].height
    try Execution.current.budget.debit(steps: (across * down) >> 4, for: "scans")
    // Blocks of each component in an MCU, across and down, and in a row of MCUs.
    let shapes = components.map {
      isInterleaved ? ($0.horizontal, $0.vertical, $0.stride) : (1, 1, $0.stride)
    }
    var bandEnd = 0
    for mcu in 0..<across * down {
      if restartInterval > 0, mcu > 0, mcu % restartInterval == 0 {
        guard bits.skipRestart() else { return false }
        bandEnd = 0
      }
      for (index, dc, ac) in scan.components {
        let (columns, rows, stride) = shapes[index]
        for part in 0..<columns * rows {
          let x = mcu % across * columns + part % columns
          let y = mcu / across * rows + part / columns
          let block = y * stride + x
          let isDecoded =
            isProgressive
            ? decodeProgressive(block, index, scan, dc, ac, &bits, &bandEnd)
            : Self.decodeSequential(dc, ac, &bits)
          guard isDecoded else { return false }
        }
      }
    }
    for (index, _, _) in scan.components {
      for coefficient in scan.first...scan.last {
        components[index].precision[coefficient] = scan.low
      }
    }
    consumed = bits.position
    return true
  }

  private func scan(_ header: JPEGSegment) -> Scan? {
    let payload = header.payload
    guard let count = payload.first.map(Int.init), (1...4).contains(count),
      payload.count >= 4 + 2 * count
    else { return nil }
    var parts: [(index: Int, dc: HuffmanTable?, ac: HuffmanTable?)] = []
    for number in 0..<count {
      let selector = payload[2 + 2 * number]
      guard let index = identifiers.firstIndex(of: payload[1 + 2 * number]) else { return nil }
      parts.append((index, tables[selector >> 4], tables[0x10 | selector & 15]))
    }
    let end = 1 + 2 * count
    var scan = Scan(
      components: parts, first: Int(payload[end]), last: Int(payload[end + 1]),
      high: Int(payload[end + 2] >> 4), low: Int(payload[end + 2] & 15))
    if !isProgressive { (scan.first, scan.last, scan.high, scan.low) = (0, 63, 0, 0) }
    guard scan.first <= scan.last, scan.last < 64, scan.first == 0 || count == 1 else { return nil }
    return scan
  }

  private static func decodeSequential(
    _ dc: HuffmanTable?, _ ac: HuffmanTable?, _ bits: inout JPEGBits
  ) -> Bool {
    guard let dc, let ac, let size = bits.symbol(dc), bits.skip(Int(size)) else { return false }
    var k = 1
    while k < 64 {
      guard let symbol = bits.symbol(ac) else { return false }
      let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
      if size == 0 {
        guard run == 15 else { return true }
        k += 16
      } else {
        guard bits.skip(size) else { return false }
        k += run + 1
      }
    }
    return true
  }

  private mutating func decodeProgressive(
    _ block: Int, _ index: Int, _ scan: Scan, _ dc: HuffmanTable?, _ ac: HuffmanTable?,
    _ bits: inout JPEGBits, _ bandEnd: inout Int
  ) -> Bool {
    guard scan.first > 0 else {
      guard scan.high == 0 else { return bits.skip(1) }
      guard let dc, let size = bits.symbol(dc) else { return false }
      return bits.skip(Int(size))
    }
    guard let ac else { return false }
    return scan.high == 0
      ? decodeFirst(block, index, scan, ac, &bits, &bandEnd)
      : decodeRefinement(block, index, scan, ac, &bits, &bandEnd)
  }

  private mutating func decodeFirst(
    _ block: Int, _ index: Int, _ scan: Scan, _ ac: HuffmanTable, _ bits: inout JPEGBits,
    _ bandEnd: inout Int
  ) -> Bool {
    guard bandEnd == 0 else {
      bandEnd -= 1
      return true
    }
    var k = scan.first
    while k <= scan.last {
      guard let symbol = bits.symbol(ac) else { return false }
      let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
      if size == 0, run < 15 {
        guard let extra = bits.read(run) else { return false }
        bandEnd = 1 << run + extra - 1
        return true
      }
      k += run
      if size > 0 {
        guard k <= scan.last, bits.skip(size) else { return false }
        components[index].nonzero[block] |= 1 << UInt64(k)
      }
      k += 1
    }
    return true
  }

  private mutating func decodeRefinement(
    _ block: Int, _ index: Int, _ scan: Scan, _ ac: HuffmanTable, _ bits: inout JPEGBits,
    _ bandEnd: inout Int
  ) -> Bool {
    var known = components[index].nonzero[block]
    var k = scan.first
    /// Skips a correction bit for each known coefficient, and up to `zeros` others.
    func advance(_ zeros: inout Int, _ known: UInt64) -> Bool {
      while k <= scan.last {
        if known >> UInt64(k) & 1 == 1 {
          guard bits.skip(1) else { return false }
        } else {
          guard zeros > 0 else { return true }
          zeros -= 1
        }
        k += 1
      }
      return true
    }
    if bandEnd == 0 {
      while k <= scan.last {
        guard let symbol = bits.symbol(ac) else { return false }
        var run = Int(symbol >> 4)
        let isNew = symbol & 15 != 0
        if !isNew, run < 15 {
          guard let extra = bits.read(run) else { return false }
          bandEnd = 1 << run + extra
          break
        }
        if isNew { guard bits.skip(1) else { return false } }
        guard advance(&run, known) else { return false }
        if isNew, k <= scan.last { known |= 1 << UInt64(k) }
        k += 1
      }
    }
    if bandEnd > 0 {
      var rest = 64
      guard advance(&rest, components[index].nonzero[block] | known) else { return false }
      bandEnd -= 1
    }
    components[index].nonzero[block] = known
    return true
  }
}

/// Codes of a DHT segment; a class, since it is passed for each block.
private final class HuffmanTable {
  private let values: [UInt8]
  /// For each length from 1 on: the first code, and the index of its value.
  private let codes: [(first: Int, index: Int, count: Int)]
  /// For each beginning of `indexed` bits, the length and the value of its code; 0 for longer codes.
  private let beginnings: [UInt16]

  /// Length of the codes that are found by a table.
  fileprivate static let indexed = 9

  /// - Returns: `nil` for codes that do not exist.
  init?(_ counts: [Int], _ values: [UInt8]) {
    var (code, index) = (0, 0)
    var codes: [(first: Int, index: Int, count: Int)] = []
    for (length, count) in counts.enumerated() {
      codes.append((code, index, count))
      code += count
      index += count
      guard code <= 2 << length else { return nil }
      code <<= 1
    }
    self.values = values
    self.codes = codes
    var beginnings = [UInt16](repeating: 0, count: 1 << Self.indexed)
    for length in 1...Self.indexed {
      let (entry, unused) = (codes[length - 1], Self.indexed - length)
      for number in 0..<entry.count {
        let beginning = UInt16(length) << 8 | UInt16(values[entry.index + number])
        for rest in 0..<1 << unused {
          beginnings[(entry.first + number) << unused | rest] = beginning
        }
      }
    }
    self.beginnings = beginnings
  }

  /// The code at the beginning of `indexed` bits.
  func code(in bits: Int) -> (length: Int, value: UInt8)? {
    let beginning = beginnings[bits]
    return beginning == 0 ? nil : (Int(beginning >> 8), UInt8(truncatingIfNeeded: beginning))
  }

  func value(of code: Int, length: Int) -> UInt8? {
    let entry = codes[length - 1]
    guard code - entry.first < entry.count else { return nil }
    return values[entry.index + code - entry.first]
  }
}

/// Bits of a scan, without stuffed bytes, up to the next marker.
private struct JPEGBits {
  private let bytes: [UInt8]
  /// Position of the first byte that is not in the buffer.
  private var next = 0
  /// The bits that were not read, in the lowest places.
  private var buffer: UInt64 = 0
  private var available = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Position after the byte of the last bit that was read.
  var position: Int {
    var position = next
    for _ in 0..<available / 8 {
      let isStuffed = position >= 2 && bytes[position - 1] == 0 && bytes[position - 2] == 0xFF
      position -= isStuffed ? 2 : 1
    }
    return position
  }

  private mutating func fill() {
    while available <= 56, next < bytes.count {
      let byte = bytes[next]
      if byte == 0xFF {
        guard next + 1 < bytes.count, bytes[next + 1] == 0 else { return }
        next += 1
      }
      next += 1
      buffer = buffer << 8 | UInt64(byte)
      available += 8
    }
  }

  /// Reads up to 32 bits; `nil` for more, which no code has.
  mutating func read(_ count: Int) -> Int? {
    guard count <= 32 else { return nil }
    if available < count {
      fill()
      guard available >= count else { return nil }
    }
    available -= count
    return Int(truncatingIfNeeded: buffer >> UInt64(available) & (1 << UInt64(count) - 1))
  }

  mutating func skip(_ count: Int) -> Bool { read(count) != nil }

  mutating func symbol(_ table: HuffmanTable) -> UInt8? {
    if available < 16 { fill() }
    let unused = available - HuffmanTable.indexed
    if unused >= 0,
      let found = table.code(
        in: Int(truncatingIfNeeded: buffer >> UInt64(unused)) & (1 << HuffmanTable.indexed - 1))
    {
      available -= found.length
      return found.value
    }
    var code = 0
    for length in 1...16 {
      guard let bit = read(1) else { return nil }
      code = code << 1 | bit
      if let value = table.value(of: code, length: length) { return value }
    }
    return nil
  }

  /// Skips the rest of a byte and a restart marker; false if there is not one.
  mutating func skipRestart() -> Bool {
    next = position
    available = 0
    while next + 1 < bytes.count, bytes[next] == 0xFF, bytes[next + 1] == 0xFF { next += 1 }
    guard next + 1 < bytes.count, bytes[next] == 0xFF,
      JPEGMarker(rawValue: bytes[next + 1]).isRestart
    else { return false }
    next += 2
    return true
  }
}
