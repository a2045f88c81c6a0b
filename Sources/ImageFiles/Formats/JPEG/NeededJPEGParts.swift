// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The parts of an image without tables that no scan refers to or of another coding, frame headers after the
/// first, and scans after a first one of all components.
///
/// Scans of progressive images, and of images whose first scan lacks components, stay: libjpeg decodes all
/// of them, the last one with effect. So do those of hierarchical images, and with components that cannot be
/// told apart.
///
/// Source: ITU-T T.81, B.2.3, B.2.4 and G.1.1.1.
struct NeededJPEGParts {
  private(set) var parts: [JPEGImage.Part] = []
  /// The bytes of other segments, tables and data.
  private(set) var unneeded: [UInt8] = []
  /// The data of other scans, as ranges of the source.
  private(set) var scans: [Range<Int>] = []

  private let frame: JPEGFrame
  /// Indices of the parts of which nothing is needed.
  private var removed: Set<Int> = []
  private var used: Set<Table> = []

  private struct Table: Hashable {
    let part: Int
    let range: Range<Int>
  }

  init(of image: JPEGImage) {
    frame = image.frame
    let identifiers = frame.components.map(\.identifier)
    guard frame.marker.rawValue & 4 == 0, Set(identifiers).count == identifiers.count else {
      parts = image.parts
      return
    }
    findUses(in: image.parts)
    for (index, part) in image.parts.enumerated() { take(part, index) }
  }

  // MARK: - Uses

  private mutating func findUses(in parts: [JPEGImage.Part]) {
    var tables: [Int: Table] = [:]
    var quantized: Set<Int> = []
    var (hasFrame, hasScan, isComplete, isScanNeeded) = (false, false, false, true)
    for (index, part) in parts.enumerated() {
      guard case .segment(let segment) = part else {
        if !isScanNeeded, part.isScan { removed.insert(index) }
        continue
      }
      switch segment.marker.rawValue {
      case 0xC4, 0xDB:
        for range in segment.tables {
          tables[segment.numberOfTable(at: range)] = Table(part: index, range: range)
        }
      // Conditions of arithmetic coding.
      case 0xCC where frame.marker.rawValue < 0xC8: removed.insert(index)
      case 0xDA:
        isScanNeeded = !isComplete
        guard isScanNeeded else {
          removed.insert(index)
          continue
        }
        let isFirst = !hasScan
        hasScan = true
        guard let scan = scan(segment.payload) else {
          used.formUnion(tables.values)
          continue
        }
        isComplete = isFirst && !isProgressive && scan.components.count == frame.components.count
        // A component keeps the quantization table of its first scan.
        let first = scan.components.filter { quantized.insert($0).inserted }
        let numbers = first.map { 0x100 | Int(frame.components[$0].quantizationTable) }
        used.formUnion((numbers + scan.tables).compactMap { tables[$0] })
      case _ where segment.marker.isFrame:
        if hasFrame { removed.insert(index) }
        hasFrame = true
      default: break
      }
    }
  }

  private var isProgressive: Bool { frame.marker.rawValue & 3 == 2 }

  /// Components and Huffman tables of a scan; `nil` for an invalid header.
  ///
  /// Huffman tables of DC have the numbers 0 to 3, those of AC 16 to 19.
  private func scan(_ header: [UInt8]) -> (components: [Int], tables: [Int])? {
    guard let count = header.first.map({ Int($0) }), count > 0, header.count >= 4 + 2 * count else {
      return nil
    }
    let (first, last) = (Int(header[1 + 2 * count]), Int(header[2 + 2 * count]))
    guard !isProgressive || first <= last && last <= 63 else { return nil }
    let band = isProgressive ? first...last : 0...63
    var (components, tables): ([Int], [Int]) = ([], [])
    for index in 0..<count {
      guard
        let place = frame.components.firstIndex(where: { $0.identifier == header[1 + 2 * index] })
      else { return nil }
      components.append(place)
      if band.lowerBound == 0 { tables.append(Int(header[2 + 2 * index] >> 4)) }
      if band.upperBound > 0 { tables.append(0x10 | Int(header[2 + 2 * index] & 15)) }
    }
    return (components, frame.marker.rawValue < 0xC8 ? tables : [])
  }

  // MARK: - Parts

  private mutating func take(_ part: JPEGImage.Part, _ index: Int) {
    switch part {
    case .segment(let segment) where removed.contains(index): unneeded += segment.payload
    case .segment(let segment):
      let unused =
        segment.marker.rawValue == 0xCC
        ? [] : segment.tables.filter { !used.contains(Table(part: index, range: $0)) }
      guard !unused.isEmpty else { return parts.append(part) }
      guard unused.count < segment.tables.count else {
        unneeded += segment.payload
        return
      }
      unneeded += unused.flatMap { segment.payload[$0] }
      let rest = SortedRanges(joining: unused).removed(from: segment.payload.indices)
      parts.append(.segment(JPEGSegment(segment.marker, rest.flatMap { segment.payload[$0] })))
    case .scan(let range) where removed.contains(index): scans.append(range)
    case .copied(let bytes, _) where removed.contains(index): unneeded += bytes
    case .scan, .copied, .stray: parts.append(part)
    }
  }
}

extension JPEGSegment {
  /// The number of a table of DHT or DQT: its class and destination, of DQT with a bit above them.
  fileprivate func numberOfTable(at range: Range<Int>) -> Int {
    let byte = Int(payload[range.lowerBound])
    return marker.rawValue == 0xC4 ? byte : 0x100 | byte & 15
  }
}
