internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// One thing that files say about their picture, as both say it.
struct MetadataComparison: ReportObject {
  static let title = "Metadatum"
  let name: String
  let first: String?
  let second: String?
  let isSame: Bool

  enum CodingKeys: String, CodingKey, CaseIterable { case name, first, second, isSame }

  /// What a file says, by name.
  typealias Words = [(name: String, value: String)]

  /// All that either file says, in the order of the first.
  static func entries(_ first: Words, _ second: Words) -> [MetadataComparison] {
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
  /// What the file says about its picture.
  ///
  /// - Throws: What finding the metadata of a file throws.
  func metadata() throws(ImageError) -> MetadataComparison.Words {
    let primary = contents.primary
    var words: MetadataComparison.Words = [
      ("format", contents.format.title + (contents.variant.map { " (\($0))" } ?? "")),
      ("picture", primary.layoutText),
      ("coded as", primary.codingText),
      ("orientation", primary.orientation.text),
    ]
    if let color = primary.color {
      words.append(
        ("color", "\(color.encoding.primaries.title), \(color.encoding.transfer.title)"))
    }
    words += DescriptionReport(primary.hdr).lines
    let blocks = try metadataBlocks()
    for (name, bytes) in [("ICC", blocks.profile), ("Exif", blocks.exif), ("XMP", blocks.xmp)] {
      guard let bytes else { continue }
      words.append((name, "\(bytes.count) bytes, SHA-256 \(SHA256.hexadecimal(bytes).prefix(12))"))
    }
    if let map = contents.gainMaps.first {
      words.append(("gain map", map.lines(explains: false).joined(separator: "; ")))
      let numbers = map.reading?.numbers ?? []
      words.append(("gain", numbers.map { "\($0.name) \($0.text)" }.joined(separator: ", ")))
    }
    let others = contents.images.dropFirst().filter { $0.role != .gainMap }.map(\.briefText)
    if !others.isEmpty { words.append(("beside it", others.joined(separator: "; "))) }
    return words
  }

  private typealias Blocks = (profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?)

  /// Blocks of metadata, verbatim; of files that need a codec for them, as far as there is one.
  private func metadataBlocks() throws(ImageError) -> Blocks {
    if file.isEditable {
      let summary = try file.summary()
      return (summary.profile, summary.exif, summary.xmp)
    }
    do throws(ImageError) {
      let document = try SourceImage.open(file, developing: RawDevelopment())
      return (document.declaredColor.icc, document.exif, document.xmp)
    } catch  where error.category == .missingCodec {
      return (nil, nil, nil)
    }
  }
}
