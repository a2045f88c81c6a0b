// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// A copy with another primary item.
  ///
  /// - Throws: `.invalidArgument` for a selection that does not exist.
  func selecting(_ selection: OpeningOptions.ImageSelection?) throws(ImageError) -> HEIFFile {
    guard let selection else { return self }
    var file = self
    file.primaryItemID = try selection.choose(
      from: items.filter { !$0.isMetadata && $0.type != "tmap" }
        .map { (Int($0.id), ["item \($0.id)", $0.name].filter { !$0.isEmpty }, $0.id) })
    return file
  }

  /// The declarations of the primary item.
  func primaryImage(options: OpeningOptions) throws(ImageError) -> DeclaredImage {
    let item = try primaryItem
    var describer = ItemDescriber(file: self, limits: options.limits)
    var described = try describer.completed(try describer.image(item.id))
    described.declaredMatrix = options.declared?.matrix
    var image = try declaredImage(item, described)
    image.metadata = try metadata(describing: item.id)
    image.auxiliaryMetadata = auxiliaryMetadata
    image.notices = notices + image.notices
    return image
  }

  /// The declarations of an item, without the metadata items that describe it.
  fileprivate func declaredImage(
    _ item: HEIFItem, _ described: ItemImage
  ) throws(ImageError) -> DeclaredImage {
    var image = DeclaredImage(
      .item(described), layout: described.format,
      color: ColorDescription(cicp: described.cicp, icc: described.icc),
      notices: described.notices)
    if described.isSubsampledRGB {
      image.notices.append(
        Notice(
          .colorRGBSubsampled, ["chroma": described.chroma.rawValue],
          at: .init(path: ["item \(item.id)"])))
    }
    image.chromaLocation = described.chromaLocation
    image.light = item.lightMetadata(transfer: described.cicp?.transfer, notices: &image.notices)
    image.orientation = described.geometry.orientation
    image.messages = try registeredMessages(of: described, notices: &image.notices)
    return image
  }

  /// The Exif and XMP that describe an item.
  ///
  /// - Throws: Errors that end the whole job.
  package func metadata(describing id: UInt32) throws(ImageError) -> FileMetadata {
    try FileMetadata { () throws(ImageError) in
      guard let item = metadataItems(describing: id, type: "Exif").first else { return nil }
      return try exif(ofItem: item.id)
    } xmp: { () throws(ImageError) in
      guard let item = xmpItems(describing: id).first else { return nil }
      if let encoding = item.contentEncoding, !encoding.isEmpty {
        throw ImageError(
          .unsupportedValue, ["field": "content encoding", "value": encoding],
          at: .init(path: ["item \(item.id)"]))
      }
      return try data(of: item.id)
    }
  }
}

/// Interprets the items of HEIF and AVIF files.
struct HEIFInterpreter {
  private let source: ByteSource
  private let file: HEIFFile
  private let format: FileFormat
  private let options: OpeningOptions
  private let roles: ItemRoles
  private let gainMaps: GainMapInventory

  /// Maximum number of described images; the structure contains all items.
  private static let maximumImageCount = 128

  init(_ container: ImageFile, _ file: HEIFFile) throws(ImageError) {
    self.file = file
    (source, format, options) = (container.source, container.format, container.options)
    gainMaps = try container.gainMaps()
    roles = ItemRoles(of: file, gainMaps: gainMaps)
  }

  func contents() throws(ImageError) -> FileContents {
    let primary = try file.primaryItem
    var notices = file.notices
    try checkData(of: primary, notices: &notices)
    let others = roles.images.filter { $0.id != primary.id }
    var images: [FileImage] = []
    for item in [primary] + others.prefix(Self.maximumImageCount - 1) {
      images.append(try image(item, isPrimary: item.id == primary.id, notices: &notices))
    }
    if others.count >= Self.maximumImageCount {
      notices.append(
        Notice(
          .dropped, "{count further image} not described",
          ["count": others.count + 1 - Self.maximumImageCount]))
    }
    var contents = FileContents(format: format, source: source, images: images, notices: notices)
    contents.take(gainMaps)
    contents.variant = "\(file.fileType.majorBrand)"
    try contents.take(file.metadata(describing: primary.id))
    return contents
  }

  /// Throws an error if the file ends within the data of the primary image.
  private func checkData(of primary: HEIFItem, notices: inout [Notice]) throws(ImageError) {
    let parts = roles.ingredients(of: primary.id)
    for item in file.items {
      guard case .file(let extents) = item.data,
        let last = extents.max(by: { $0.offset + $0.count < $1.offset + $1.count }),
        last.offset + last.count > source.count
      else { continue }
      let parameters: DiagnosticParameters = [
        "end": last.offset + last.count, "size": source.count,
      ]
      let place = ImageError.Location(path: ["item \(item.id)"], offset: last.offset)
      guard !parts.contains(item.id) else {
        throw ImageError(
          .truncated, "the data end at byte {end}, the file at {size}", parameters, at: place)
      }
      notices.append(
        Notice(.irregular, "the data end at byte {end}, the file at {size}", parameters, at: place))
    }
  }

  private func image(
    _ item: HEIFItem, isPrimary: Bool, notices: inout [Notice]
  ) throws(ImageError) -> FileImage {
    var describer = ItemDescriber(file: file, limits: options.limits)
    var described: ItemImage
    do throws(ImageError) {
      described = try describer.completed(try describer.image(item.id))
    } catch {
      // Images that cannot be decoded are described by their properties.
      guard !error.endsJob, !isPrimary || error.category == .unsupported else { throw error }
      if item.type != "tmap" {
        notices.append(Notice(.inspectNotDecodable, ["cause": error], at: error.location))
      }
      return plainImage(item, notices: &notices)
    }
    if isPrimary { described.declaredMatrix = options.declared?.matrix }
    let declared = try file.declaredImage(item, described)
    var stored = declared.layout
    (stored.width, stored.height) = (described.width, described.height)
    stored.hasAlpha = isPrimary && roles.hasAlpha(item.id)
    notices += declared.notices
    let role = roles.role(of: item)
    let color =
      role.isPlain
      ? nil
      : ColorInspection(
        declared, described, in: format, options: isPrimary ? options : options.ofOthers)
    if isPrimary { notices += color?.notices ?? [] }
    var image = FileImage(
      name: "item \(item.id)", role: role,
      auxiliaryType: item.property(AuxiliaryTypeBox.self)?.auxiliaryType, layout: stored,
      uprightSize: described.geometry.displayedSize, orientation: described.geometry.orientation,
      coding: CodecConfiguration(described, in: file), tiles: described.tiles, color: color,
      light: declared.light, isFullRange: described.cicp?.isFullRange ?? true)
    image.number = Int(item.id)
    return image
  }

  /// The description of an image from its properties only.
  private func plainImage(_ item: HEIFItem, notices: inout [Notice]) -> FileImage {
    let size = item.property(ImageSpatialExtentsBox.self)
    let pixels = item.property(PixelInformationBox.self)?.bitsPerChannel ?? []
    let stored = ImageLayout(
      width: Int(size?.width ?? 0), height: Int(size?.height ?? 0),
      components: pixels.count == 1 ? .gray : .rgb,
      samples: .integer(bits: Int(pixels.first ?? 8)))
    let geometry = try? ItemGeometry(
      width: stored.width, height: stored.height, properties: item.properties)
    let hdr = item.lightMetadata(notices: &notices)
    let color = ColorInspection(
      ColorDescription(cicp: item.cicp, icc: item.icc), in: format, format: stored,
      carriers: [.profile("ICC profile", item.icc), .codePoints("nclx", item.cicp)],
      diffuseWhite: hdr.diffuseWhite, options: options.ofOthers
    ) { source, _ in source == .codePoints ? "nclx" : nil }
    return FileImage(
      name: "item \(item.id)", role: roles.role(of: item),
      auxiliaryType: item.property(AuxiliaryTypeBox.self)?.auxiliaryType, layout: stored,
      uprightSize: geometry?.displayedSize, orientation: geometry?.orientation ?? .upright,
      coding: CodecConfiguration("'\(item.type)'"), color: color, light: hdr,
      isFullRange: item.cicp?.isFullRange ?? true)
  }
}

extension FileImage.Role {
  /// Whether images of this role do not have a color.
  fileprivate var isPlain: Bool { [.alpha, .depth, .matte, .gainMap].contains(self) }
}

extension ColorInspection {
  /// Resolves the color of an item, or of the first input of a derived image.
  fileprivate init(
    _ declared: DeclaredImage, _ described: ItemImage, in container: FileFormat,
    options: OpeningOptions
  ) {
    self.init(
      declared, in: container,
      carriers: [
        .profile("ICC profile", described.icc), .codePoints("nclx", described.containerCICP),
        .codePoints("bitstream", described.bitstreamCICP),
      ], options: options
    ) { source, part in
      guard source == .codePoints else { return nil }
      let nclx = described.containerCICP
      let isInContainer =
        switch part {
        case .primaries: !described.isColorOfBitstream && nclx?.primaries.isSpecified ?? false
        case .transfer: !described.isColorOfBitstream && nclx?.transfer.isSpecified ?? false
        case .matrix: nclx?.matrix.isSpecified ?? false
        }
      return isInContainer ? "nclx" : "bitstream"
    }
  }
}

extension ItemImage {
  fileprivate var tiles: (columns: Int, rows: Int)? {
    switch source {
    case .grid(let grid, _): (grid.columns, grid.rows)
    case .identity(let input): input.tiles
    case .coded, .overlay: nil
    }
  }
}

extension CodecConfiguration {
  /// Creates the configuration from `hvcC` or `av1C` of the item, or of the first input of a
  /// derived image.
  fileprivate init(_ image: ItemImage, in file: HEIFFile) {
    switch image.source {
    case .identity(let input): self.init(input, in: file)
    case .grid(_, let parts), .overlay(_, let parts): self.init(parts[0], in: file)
    case .coded(.hevc):
      let box = file.item(image.id)?.property(HEVCConfigurationBox.self)
      self.init(
        "HEVC", profile: box?.profileTierLevel.profileName, level: box?.profileTierLevel.levelName,
        chroma: image.chroma, lumaDepth: image.bits, chromaDepth: image.bits)
    case .coded(.av1):
      let box = file.item(image.id)?.property(AV1ConfigurationBox.self)
      self.init(
        "AV1", profile: box?.profileName, level: box?.levelName, chroma: image.chroma,
        lumaDepth: image.bits, chromaDepth: image.bits)
    }
  }
}

extension HEIFFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) {
    (fileType.contains("avif") ? .avif : .heif, layout.origin?.source)
  }
  var asContainer: FileContainer { .heif(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try primaryImage(options: file.options)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try HEIFInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    try file.boxNodes + [itemStructure]
  }
}

/// Roles of the items in a file, derived once from their references.
package struct ItemRoles {
  private let primary: UInt32?
  /// Inputs of derived images, by item ID.
  private let inputs: [UInt32: [UInt32]]
  private let toneMapped: Set<UInt32>
  private let gainMaps: Set<UInt32>
  private let thumbnails: Set<UInt32>
  private let withAlpha: Set<UInt32>
  /// Images that are not inputs of other images except tone maps, in file order.
  package let images: [HEIFItem]

  package init(of file: HEIFFile, gainMaps: GainMapInventory) {
    primary = file.primaryItemID
    let derivations = file.references.filter { $0.type == "dimg" }
    inputs = Dictionary(derivations.map { ($0.from, $0.to) }, uniquingKeysWith: +)
    let toneMapped = Set(file.items.lazy.filter { $0.type == "tmap" }.map(\.id))
    self.toneMapped = toneMapped
    self.gainMaps = Set(
      gainMaps.maps.compactMap { if case .item(let id) = $0.location { id } else { nil } })
    thumbnails = Set(file.references.lazy.filter { $0.type == "thmb" }.map(\.from))
    let alphas = Set(
      file.items.lazy.filter { $0.property(AuxiliaryTypeBox.self)?.isAlpha ?? false }.map(\.id))
    withAlpha = Set(
      file.references.lazy.filter { $0.type == "auxl" && alphas.contains($0.from) }.flatMap(\.to))
    let ingredients = Set(derivations.lazy.filter { !toneMapped.contains($0.from) }.flatMap(\.to))
    images = file.items.filter {
      !ingredients.contains($0.id) && !$0.isMetadata
        && $0.property(ImageSpatialExtentsBox.self) != nil
    }
  }

  package func hasAlpha(_ id: UInt32) -> Bool { withAlpha.contains(id) }

  /// An item and all direct and indirect inputs that it is derived from.
  package func ingredients(of id: UInt32) -> Set<UInt32> {
    var found: Set<UInt32> = [id]
    var waiting = [id]
    while let next = waiting.popLast() {
      for input in inputs[next] ?? [] where found.insert(input).inserted { waiting.append(input) }
    }
    return found
  }

  package func role(of item: HEIFItem) -> FileImage.Role {
    if item.id == primary { return .primary }
    if toneMapped.contains(item.id) { return .alternate }
    if gainMaps.contains(item.id) { return .gainMap }
    if thumbnails.contains(item.id) { return .thumbnail }
    guard let type = item.property(AuxiliaryTypeBox.self) else { return .other }
    return type.isAlpha ? .alpha : FileImage.Role(auxiliaryType: type.auxiliaryType)
  }
}

extension FileImage.Role {
  /// Creates the role for the type URN of an auxiliary image.
  package init(auxiliaryType: String) {
    let depth = ["urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"]
    if GainMapAuxiliary(auxiliaryType: auxiliaryType) != nil {
      self = .gainMap
    } else if depth.contains(auxiliaryType) || auxiliaryType.hasSuffix(":depth") {
      self = .depth
    } else if auxiliaryType.hasSuffix("matte") {
      self = .matte
    } else {
      self = .auxiliary
    }
  }
}

extension HEIFFile {
  /// Depth maps and mattes of an image, which are gray and independent of its encoding.
  package func auxiliaries(of id: UInt32) -> [UInt32] {
    references(to: id, type: "auxl").filter { auxiliary in
      guard let type = item(auxiliary)?.property(AuxiliaryTypeBox.self), !type.isAlpha else {
        return false
      }
      return [.depth, .matte].contains(FileImage.Role(auxiliaryType: type.auxiliaryType))
    }
  }
}
