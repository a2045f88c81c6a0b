// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// A property of both images.
struct MetadataComparison: ReportObject {
  static let schemaName = "property"
  let name: String
  let first: String?
  let second: String?
  let isSame: Bool

  enum CodingKeys: String, CodingKey, CaseIterable { case name, first, second, isSame }

  /// The name of the property with all values of gain map metadata.
  static let gainMapNumbers = "gain map values"

  /// Properties of an image by name.
  typealias Properties = [(name: String, value: String)]

  /// The properties of either file, in the order of the first.
  static func entries(_ first: Properties, _ second: Properties) -> [MetadataComparison] {
    var names = first.map(\.name)
    names += second.map(\.name).filter { !names.contains($0) }
    return names.map { name in
      let one = first.first { $0.name == name }?.value
      let two = second.first { $0.name == name }?.value
      return MetadataComparison(name: name, first: one, second: two, isSame: one == two)
    }
  }
}

extension ComparedFile {
  /// The properties of the image.
  ///
  /// - Throws: Errors of parsing the metadata.
  func metadata() throws(ImageError) -> MetadataComparison.Properties {
    let primary = contents.primary
    var properties: MetadataComparison.Properties = [
      ("format", contents.format.title + (contents.variant.map { " (\($0))" } ?? "")),
      ("image", primary.layoutText),
      ("encoding", primary.codingText),
      ("orientation", primary.orientation.text),
    ]
    if let color = primary.color {
      properties.append(
        ("color", "\(color.encoding.primaries.title), \(color.encoding.transfer.title)"))
    }
    properties += DescriptionReport(primary.light, primary.color?.encoding).lines
    let blocks = try metadataBlocks()
    for (name, bytes) in [("ICC", blocks.profile), ("Exif", blocks.exif), ("XMP", blocks.xmp)] {
      guard let bytes else { continue }
      properties.append(
        (name, "\(bytes.count) bytes, SHA-256 \(SHA256.hexadecimal(bytes).prefix(12))"))
    }
    if let map = contents.gainMaps.first {
      properties.append(("gain map", map.lines(explains: false).joined(separator: "; ")))
      let numbers = map.description?.numbers ?? []
      properties.append(
        (
          MetadataComparison.gainMapNumbers,
          numbers.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
        ))
    }
    let others = contents.images.dropFirst().filter { $0.role != .gainMap }
    if others.count > 5 {
      properties.append(("also contains", "\(others.count) other images"))
    } else if !others.isEmpty {
      properties.append(("also contains", others.map(\.briefText).joined(separator: "; ")))
    }
    return properties
  }

  private typealias Blocks = (profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?)

  /// Blocks of metadata, verbatim; `nil` for those that a missing codec would extract.
  private func metadataBlocks() throws(ImageError) -> Blocks {
    if file.isEditable {
      let summary = try file.metadataSummary()
      return (summary.profile, summary.exif, summary.xmp)
    }
    do throws(ImageError) {
      let document = try SourceImage.open(file)
      return (document.declaredColor.icc, document.exif, document.xmp)
    } catch  where error.category == .missingCodec {
      return (nil, nil, nil)
    }
  }
}
