// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Returns a file that contains a single image of this file.
  ///
  /// The image is a tile, a hidden gain map, a matte, or a derived image with its inputs. Coded
  /// data are shared, not copied. The image keeps its properties, but is not hidden or auxiliary.
  ///
  /// - Parameter id: Identifier of the item.
  /// - Returns: The new file.
  /// - Throws: `.malformed` if the item does not exist or is derived from itself; `.unsupported`
  ///   for a codec other than HEVC and AV1; `.invalidArgument` for metadata and tone maps; errors
  ///   of locating the data.
  package func standalone(_ id: UInt32) throws(ImageError) -> HEIFFile {
    var extractor = ImageExtractor(source: self)
    do throws(ImageError) {
      return try extractor.extract(id)
    } catch {
      throw error.inside("item \(id)")
    }
  }
}

/// Copies an item and the items it is derived from.
private struct ImageExtractor {
  private let source: HEIFFile
  private let items: [UInt32: HEIFItem]
  private let inputs: [UInt32: [UInt32]]
  private var result: HEIFFile
  private var newIDs: [UInt32: UInt32] = [:]
  private var active: Set<UInt32> = []

  init(source: HEIFFile) {
    self.source = source
    items = Dictionary(source.items.lazy.map { ($0.id, $0) }) { first, _ in first }
    inputs = Dictionary(
      source.references.lazy.filter { $0.type == "dimg" }.map { ($0.from, $0.to) },
      uniquingKeysWith: +)
    result = HEIFFile(
      fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: []), limits: source.limits)
    result.layout.origin = source.layout.origin
  }

  mutating func extract(_ id: UInt32) throws(ImageError) -> HEIFFile {
    let primary = try copy(id)
    result.primaryItemID = primary
    result.updateItem(primary) { item in
      item.isHidden = false
      item.setProperty(AuxiliaryTypeBox.boxType, to: nil)
    }
    result.fileType = try fileType()
    return result
  }

  private mutating func copy(_ id: UInt32) throws(ImageError) -> UInt32 {
    if let known = newIDs[id] { return known }
    guard let item = items[id] else {
      throw ImageError(.itemMissing, ["item": id])
    }
    guard active.insert(id).inserted, active.count <= source.limits.nesting else {
      throw ImageError(.itemDerivedFromItself, ["item": id])
    }
    defer { active.remove(id) }
    var copy = item
    switch item.type {
    case "hvc1", "hev1", "av01": copy.data = .file(try source.dataParts(of: id))
    case "grid", "iovl", "iden":
      if item.data != .absent { copy.data = .itemDataBox(try source.dataParts(of: id)) }
    case _ where !item.isImage:
      throw ImageError(
        .invalidArgument, "an item of type '{type}' is not an image on its own",
        ["type": "\(item.type)"])
    default: throw ImageError(.unsupportedValue, ["field": "item type", "value": "\(item.type)"])
    }
    var copies: [UInt32] = []
    for input in inputs[id] ?? [] { copies.append(try self.copy(input)) }
    copy.id = UInt32(result.items.count) + 1
    newIDs[id] = copy.id
    result.items.append(copy)
    if !copies.isEmpty { result.addReference("dimg", from: copy.id, to: copies) }
    return copy.id
  }

  private func fileType() throws(ImageError) -> FileTypeBox {
    for item in result.items {
      if let configuration = item.property(HEVCConfigurationBox.self) {
        return .heic(configuration)
      }
      if let configuration = item.property(AV1ConfigurationBox.self) {
        return .avif(configuration)
      }
    }
    throw ImageError(.heifConfigurationMissing)
  }
}
