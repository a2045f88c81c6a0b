// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The headers of an OpenEXR file.
///
/// Source: OpenEXR File Layout, "Header".
package enum EXRStructure {
  /// Returns the parts of a file with their attributes, and the data after them.
  ///
  /// - Throws: `.malformed`, `.truncated` or `.limitExceeded` if the headers cannot be parsed.
  package static func nodes(
    of source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [StructureNode] {
    var length = 1 << 16
    while true {
      let bytes = try source.prefix(length)
      do throws(ImageError) {
        var reader = ByteReader(bytes.span)
        return try nodes(&reader, fileSize: source.count, limits: limits)
      } catch {
        guard error.category == .truncated, length < source.count else { throw error }
        length *= 4
      }
    }
  }

  @_lifetime(reader: copy reader)
  private static func nodes(
    _ reader: inout ByteReader, fileSize: Int, limits: ImageLimits
  ) throws(ImageError) -> [StructureNode] {
    guard try reader.readLittleEndian(as: UInt32.self) == 20_000_630 else {
      throw reader.error(.notOfFormat, ["format": "OpenEXR"])
    }
    let version = try reader.readLittleEndian(as: UInt32.self)
    var flags = StructureNode("version", 0..<8, fields: [.init("number", "\(version & 0xFF)")])
    for (bit, name) in [(0x200, "tiled"), (0x800, "deep"), (0x1000, "multi-part")]
    where version & UInt32(bit) != 0 {
      flags.fields.add(name, "yes")
    }
    var nodes = [flags]
    var count = 0
    repeat {
      let start = reader.fileOffset
      var part = StructureNode("part \(nodes.count - 1)")
      while let attribute = try attribute(&reader) {
        count += 1
        guard count <= limits.items else {
          throw reader.error(.tooManyElements, ["limit": limits.items, "elements": "attributes"])
        }
        try Execution.current.budget.debit(
          elements: 1, of: "attributes", at: .init(offset: reader.fileOffset))
        part.children.append(attribute)
      }
      guard !part.children.isEmpty else { break }
      part.range = start..<reader.fileOffset
      nodes.append(part)
    } while version & 0x1000 != 0
    nodes.append(StructureNode("offset tables and chunks", reader.fileOffset..<fileSize))
    return nodes
  }

  @_lifetime(reader: copy reader)
  private static func attribute(_ reader: inout ByteReader) throws(ImageError) -> StructureNode? {
    let start = reader.fileOffset
    let name = try reader.readCString()
    guard !name.isEmpty else { return nil }
    let type = try reader.readCString()
    let size = Int(try reader.readLittleEndian(as: Int32.self))
    var value = try reader.readSlice(size)
    var node = StructureNode(name, start..<reader.fileOffset, fields: [.init("type", type)])
    do throws(ImageError) {
      node.fields.add("value", try text(of: &value, type: type))
    } catch {
      node.fields.addUnreadable(error.message)
    }
    return node
  }

  /// Returns the name of a compression method.
  ///
  /// Source: OpenEXR File Layout, "Compression".
  package static func compressionName(_ number: UInt8) -> String {
    let names = ["none", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"]
    return Int(number) < names.count ? names[Int(number)] : "\(number)"
  }

  @_lifetime(value: copy value)
  private static func text(of value: inout ByteReader, type: String) throws(ImageError) -> String? {
    func floats(_ count: Int) throws(ImageError) -> String {
      var numbers: [String] = []
      for _ in 0..<count {
        numbers.append("\(Float(bitPattern: try value.readLittleEndian(as: UInt32.self)))")
      }
      return numbers.joined(separator: ", ")
    }
    func integers(_ count: Int) throws(ImageError) -> String {
      var numbers: [String] = []
      for _ in 0..<count { numbers.append("\(try value.readLittleEndian(as: Int32.self))") }
      return numbers.joined(separator: ", ")
    }
    switch type {
    case "int": return try integers(1)
    case "v2i": return try integers(2)
    case "box2i": return try integers(4)
    case "float": return try floats(1)
    case "v2f": return try floats(2)
    case "v3f": return try floats(3)
    case "chromaticities": return try floats(8)
    case "string":
      return String(decoding: try value.readBytes(min(value.remaining, 120)), as: UTF8.self)
    case "compression":
      return compressionName(try value.readBigEndian(as: UInt8.self))
    case "lineOrder":
      let names = ["increasing y", "decreasing y", "random y"]
      let number = Int(try value.readBigEndian(as: UInt8.self))
      return number < names.count ? names[number] : "\(number)"
    case "tiledesc":
      let (width, height) = (
        try value.readLittleEndian(as: UInt32.self), try value.readLittleEndian(as: UInt32.self)
      )
      return "\(width)x\(height)"
    case "chlist":
      var channels: [String] = []
      while !value.isAtEnd {
        let name = try value.readCString()
        if name.isEmpty { break }
        let type = try value.readLittleEndian(as: Int32.self)
        try value.skip(12)
        channels.append("\(name) \(["uint", "half", "float"][Int(type & 3) % 3])")
      }
      return StructureNode.list(channels)
    default: return "\(value.remaining) bytes"
    }
  }
}
