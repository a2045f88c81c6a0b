// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Header attributes that do not describe samples.
package struct EXRAttributes {
  /// The value of an attribute, by type.
  package enum Value: Hashable {
    case text(String)
    case number(Double)
    case other
  }

  /// Attribute names in file order.
  private(set) var names: [String] = []
  private var values: [String: Value] = [:]

  package subscript(name: String) -> Value? { values[name] }

  /// Adds an attribute, unless it describes the storage or display of samples.
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

  /// Attributes of sample storage and display, which are not collected.
  ///
  /// Source: OpenEXR File Layout, "Header attributes": those of all files, of tiled, multi-part and
  /// deep files, and of compression.
  private static let structural: Set = [
    "channels", "chunkCount", "compression", "dataWindow", "deepImageState", "displayWindow",
    "dwaCompressionLevel", "lineOrder", "maxSamplesPerPixel", "multiView", "name",
    "pixelAspectRatio",
    "screenWindowCenter", "screenWindowWidth", "tiles", "type", "version", "view",
  ]
}
