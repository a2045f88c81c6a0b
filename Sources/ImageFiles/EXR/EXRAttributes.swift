internal import HDRCore
package import ImageContainers

/// Attributes of a header that are not about samples.
package struct EXRAttributes {
  /// The value of an attribute, as far as any is understood here.
  package enum Value: Hashable {
    case text(String)
    case number(Double)
    case other
  }

  /// In the order of the file.
  private(set) var names: [String] = []
  private var values: [String: Value] = [:]

  package subscript(name: String) -> Value? { values[name] }

  /// Takes an attribute; those that say how samples are stored or seen on a screen are left out.
  package mutating func take(_ name: String, type: String, from value: inout ByteReader) {
    guard !Self.structural.contains(name) else { return }
    if values[name] == nil { names.append(name) }
    values[name] =
      switch type {
      case "string": .text(String(decoding: value.readRest(), as: UTF8.self))
      case "float": (try? value.readFloat()).map { .number(Double($0)) } ?? .other
      case "int":
        (try? value.readLittleEndian(as: Int32.self)).map { .number(Double($0)) } ?? .other
      default: .other
      }
  }

  /// Source: OpenEXR File Layout, "Header attributes"; those of all files, of tiles, of parts, of
  /// deep pictures and of compression.
  private static let structural: Set = [
    "channels", "chunkCount", "compression", "dataWindow", "deepImageState", "displayWindow",
    "dwaCompressionLevel", "lineOrder", "maxSamplesPerPixel", "name", "pixelAspectRatio",
    "screenWindowCenter", "screenWindowWidth", "tiles", "type", "version", "view",
  ]
}
