// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension TIFFFile {
  /// Describes the directories, their entries and subdirectories; at most 16383 entries.
  ///
  /// - Parameter base: Offset of the TIFF structure in its file; 0 by default, for a TIFF file.
  /// - Returns: A node for each directory of the chain.
  /// - Throws: Errors that end the whole job.
  package func structure(base: Int = 0) throws(ImageError) -> [StructureNode] {
    var tree = TIFFStructure(file: self, base: base)
    var nodes: [StructureNode] = []
    for (index, directory) in directories.enumerated() {
      nodes.append(try tree.node(of: directory, named: "IFD \(index)", group: .main))
    }
    return nodes
  }
}

/// Describes each directory once, within a limit on entries.
private struct TIFFStructure {
  let file: TIFFFile
  let base: Int
  private var visited: Set<Int> = []
  private var budget = 1 << 14

  init(file: TIFFFile, base: Int) {
    self.file = file
    self.base = base
  }

  mutating func node(
    of directory: TIFFDirectory, named name: String, group: TIFFTag.Group
  ) throws(ImageError) -> StructureNode {
    let size = file.isBig ? 8 + 20 * directory.entries.count + 8 : 6 + 12 * directory.entries.count
    let range = shifted(directory.offset..<min(directory.offset + size, file.source.count))
    var node = StructureNode(name, range)
    guard visited.insert(directory.offset).inserted else {
      node.fields.add("again", "listed above")
      return node
    }
    for entry in directory.entries {
      budget -= 1
      guard budget > 0 else { break }
      node.children.append(try self.node(of: entry, group: group))
    }
    return node
  }

  private mutating func node(
    of entry: TIFFEntry, group: TIFFTag.Group
  ) throws(ImageError) -> StructureNode {
    let name = entry.tag.name(in: group) ?? "tag \(entry.tag.rawValue)"
    let isWithin = entry.values.upperBound <= file.source.count
    var node = StructureNode(name, isWithin ? shifted(entry.values) : nil)
    node.fields.add("tag", entry.tag.rawValue)
    node.fields.add("type", entry.type.map { "\($0)" } ?? "unknown")
    if entry.count != 1 { node.fields.add("count", entry.count) }
    if !isWithin {
      node.fields.addUnreadable("the values lie beyond the end")
      return node
    }
    if let subdirectory = entry.tag.subdirectory(in: group) {
      for (index, directory) in try file.subdirectories(entry).enumerated() {
        node.children.append(
          try self.node(
            of: directory, named: subdirectory.name(index), group: subdirectory.group))
      }
    } else {
      node.fields.add("value", try value(of: entry))
    }
    return node
  }

  /// Returns the first values as text.
  private func value(of entry: TIFFEntry) throws(ImageError) -> String? {
    guard let type = entry.type, entry.count > 0 else { return nil }
    var some = entry
    let longest = type == .ascii ? 120 : StructureNode.longestList
    some.count = min(entry.count, longest)
    some.values = entry.values.lowerBound..<entry.values.lowerBound + some.count * type.size
    let rest = entry.count > some.count ? " ..." : ""
    if type == .ascii { return try file.text(some).map { $0 + rest } }
    guard type != .undefined, let numbers = try ifReadable(try file.numbers(some)) else {
      return nil
    }
    return numbers.map(Self.text).joined(separator: ", ") + rest
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15
      ? String(Int(clamping: number)) : "\((number * 1e6).rounded() / 1e6)"
  }

  private func shifted(_ range: Range<Int>) -> Range<Int> {
    base + range.lowerBound..<base + range.upperBound
  }
}
