// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Metadata of an image other than Exif, XMP and an ICC profile.
public struct AuxiliaryMetadata: Hashable, Sendable {
  /// Photoshop image resources that remain valid if the image is re-encoded, mainly IPTC; `nil`
  /// without any.
  public var resources: [UInt8]?
  /// JPEG comments, without the headers of their segments; their character set is unspecified.
  public var comments: [[UInt8]] = []
  /// Text chunks of PNG that describe the image and not its file.
  package var texts: [PNGChunk] = []
  /// Display names of metadata that are bound to the encoding of the image or to the file format.
  package var bound: [String] = []
  /// Whether texts and IPTC that a format cannot store become XMP; otherwise they are dropped.
  package var becomesXMP = true

  static let photoshopThumbnail = "Photoshop thumbnail"

  public init() {}

  /// Whether there are none.
  package var isEmpty: Bool {
    resources == nil && comments.isEmpty && texts.isEmpty && bound.isEmpty
  }

  /// Collects Photoshop image resources and IPTC data sets that are stored outside of them.
  ///
  /// - Parameters:
  ///   - photoshop: Image resources.
  ///   - iptc: IPTC data sets stored separately; used if the image resources contain none.
  /// - Throws: Errors that end the whole job.
  package init(photoshop: [UInt8]?, iptc: [UInt8]? = nil) throws(ImageError) {
    guard photoshop != nil || iptc != nil else { return }
    guard var all = try ifReadable(try PhotoshopResources(parsing: photoshop ?? [])) else {
      bound.append("unreadable Photoshop resources")
      return
    }
    let (thumbnails, others) = all.removeBound()
    if thumbnails > 0 { bound.append(Self.photoshopThumbnail) }
    if others > 0 {
      bound.append(others == 1 ? "1 Photoshop resource" : "\(others) Photoshop resources")
    }
    if let iptc, all.iptc == nil { all.append(iptc: iptc) }
    if !all.bytes.isEmpty { resources = all.bytes }
  }

  /// The IPTC data sets of the image resources; `nil` if they contain none.
  package var iptc: [UInt8]? {
    get throws(ImageError) {
      guard let resources else { return nil }
      return try ifReadable(try PhotoshopResources(parsing: resources).iptc)
    }
  }

  /// Display names of metadata that other file formats may be able to store.
  package var portable: [String] {
    get throws(ImageError) {
      var names: [String] = []
      if resources != nil { names.append(try iptc == nil ? "Photoshop resources" : "IPTC") }
      if !comments.isEmpty {
        names.append(comments.count == 1 ? "comment" : "\(comments.count) comments")
      }
      if let text = PNGText.displayName(ofAll: texts.map(\.keyword)) { names.append(text) }
      return names
    }
  }
}

extension JPEGImage {
  /// Metadata in segments other than Exif, XMP and ICC profile segments.
  ///
  /// - Throws: Errors that end the whole job.
  package func auxiliaryMetadata() throws(ImageError) -> AuxiliaryMetadata {
    let photoshop = segments(.photoshop)
    var auxiliary = try AuxiliaryMetadata(
      photoshop: photoshop.isEmpty ? nil : photoshop.flatMap(\.body))
    auxiliary.comments = segments(.comment).map(\.body)
    let others = segments(.other) + segments(.jfifExtension)
    let boxes = others.filter(\.holdsJUMBF)
    if !boxes.isEmpty {
      auxiliary.bound.append(
        boxes.contains(where: \.isC2PA)
          ? "content credentials (C2PA)" : "JUMBF metadata (APP11)")
    }
    let markers = Set(
      others.lazy.filter { $0.marker.isApplication && !$0.holdsJUMBF }.map(\.marker))
    if !markers.isEmpty {
      let names = markers.sorted { $0.rawValue < $1.rawValue }.map(\.description)
      auxiliary.bound.append("segments \(names.joined(separator: ", "))")
    }
    return auxiliary
  }

  /// Replaces or removes Photoshop image resources and comments.
  ///
  /// - Throws: `.invalidArgument` for a comment that does not fit a segment.
  package mutating func setAuxiliaryMetadata(_ auxiliary: AuxiliaryMetadata) throws(ImageError) {
    try setPhotoshop(auxiliary.resources ?? [])
    try replace(.comment, with: auxiliary.comments)
  }

  /// Replaces Photoshop image resources; empty ones are removed.
  mutating func setPhotoshop(_ resources: [UInt8]) throws(ImageError) {
    let longest = JPEGSegment.Role.photoshop.longestBody
    try replace(
      .photoshop,
      with: stride(from: 0, to: resources.count, by: longest).map {
        Array(resources[$0..<min($0 + longest, resources.count)])
      })
  }
}

extension JPEGSegment {
  /// Source: ISO/IEC 18477-3, annex B (JPEG XT boxes); ISO/IEC 19566-5, annex D.
  var holdsJUMBF: Bool {
    marker == .application(11) && payload.starts(with: "JP".utf8)
      && payload.dropFirst(12).starts(with: "jumb".utf8)
  }

  /// The type of the outermost box of a manifest store.
  ///
  /// Source: C2PA Technical Specification 1.3, 11.1.4.2: 63327061-0011-0010-8000-00AA00389B71.
  var isC2PA: Bool { payload.dropFirst(20).starts(with: "jumdc2pa".utf8) }
}

extension HEIFFile {
  /// Metadata items other than Exif and XMP.
  package var auxiliaryMetadata: AuxiliaryMetadata {
    var auxiliary = AuxiliaryMetadata()
    auxiliary.bound = items.compactMap { item in
      switch item.type {
      case "mime" where item.contentType != Self.xmpContentType:
        "metadata of type \(item.contentType ?? "unknown")"
      case "uri " where item.uriType?.hasSuffix("metadata:styles") == true: "photographic style"
      case "uri ": "metadata of type \(item.uriType ?? "unknown")"
      default: nil
      }
    }
    return auxiliary
  }
}

extension PNGFile {
  /// Text chunks other than XMP and Exif, and content credentials.
  ///
  /// - Throws: Errors that end the whole job.
  package func auxiliaryMetadata() throws(ImageError) -> AuxiliaryMetadata {
    let resources = try firstText(Self.resourceKeywords) { Self.rawProfile(in: $0.bytes) }
    // Some writers omit the resource around the data sets.
    let isIPTC = resources?.first == 0x1C
    var auxiliary = try AuxiliaryMetadata(
      photoshop: isIPTC ? nil : resources, iptc: isIPTC ? resources : nil)
    for chunk in chunks where chunk.type.isText && !holdsXMP(chunk) {
      guard let text = try ifReadable(try data(of: chunk)) else { continue }
      auxiliary.texts.append(PNGChunk(chunk.type, text))
    }
    // Those that were read as Exif and as image resources.
    for keywords in [Self.exifKeywords, Self.resourceKeywords] {
      for (index, chunk) in auxiliary.texts.enumerated() where keywords.contains(chunk.keyword) {
        guard try chunk.rawProfile != nil else { continue }
        auxiliary.texts.remove(at: index)
        break
      }
    }
    let ofFile = auxiliary.texts.filter(\.describesFile)
    auxiliary.texts.removeAll(where: \.describesFile)
    if let name = PNGText.displayName(ofAll: ofFile.map(\.keyword)) { auxiliary.bound.append(name) }
    if chunks.contains(where: { $0.type == .contentCredentials }) {
      auxiliary.bound.append("content credentials (C2PA)")
    }
    return auxiliary
  }
}

extension PNGChunk {
  /// The keyword of a text.
  fileprivate var keyword: String {
    guard case .bytes(let bytes) = content else { return "" }
    return String(latin1: bytes.prefix { $0 != 0 }.prefix(79))
  }

  /// The profile of a text with one; `nil` for others and for unreadable ones.
  fileprivate var rawProfile: [UInt8]? {
    get throws(ImageError) {
      guard case .bytes(let bytes) = content else { return nil }
      var reader = ByteReader(bytes.span)
      return try ifReadable(try PNGText(type: type, parsing: &reader))
        .flatMap { PNGFile.rawProfile(in: $0.bytes) }
    }
  }

  /// Whether a text describes the file: properties that ImageMagick derives from it, and thumbnails.
  fileprivate var describesFile: Bool {
    ["date:", "exif:", "icc:", "png:", "tiff:", "Thumb::", "Raw profile type "]
      .contains(where: keyword.hasPrefix)
  }
}

extension PNGText {
  /// One display name of all texts; `nil` for none.
  fileprivate static func displayName(ofAll keywords: [String]) -> String? {
    guard !keywords.isEmpty else { return nil }
    return keywords.count <= 5
      ? "PNG text (\(keywords.joined(separator: ", ")))" : "\(keywords.count) PNG text chunks"
  }
}

extension AuxiliaryMetadata {
  /// Distributes the metadata over the places that a format has for them; standard texts and IPTC that it cannot store
  /// become properties that XMP does not have.
  ///
  /// - Parameters:
  ///   - format: Format of the new file.
  ///   - xmp: XMP of the new file.
  /// - Returns: The metadata that the format can store, XMP, and notices about what is not copied.
  /// - Throws: Errors that end the whole job.
  package func fitted(
    to format: FileFormat, xmp: [UInt8]?
  ) throws(ImageError) -> (carried: AuxiliaryMetadata, xmp: [UInt8]?, notices: [Notice]) {
    var (carried, rest) = (self, self)
    carried.bound = []
    if format.traits.carriesComments { rest.comments = [] } else { carried.comments = [] }
    if format.traits.carriesImageResources { rest.resources = nil } else { carried.resources = nil }
    if format.traits.carriesTexts { rest.texts = [] } else { carried.texts = [] }
    let (packet, names) = try rest.movedTexts(to: xmp)
    var lost =
      names.isEmpty
      ? [] : [Notice(.metadataNotPortable, ["format": format.title, "items": names])]
    guard !becomesXMP else { return (carried, packet, lost + boundNotices) }
    let moved = try rest.portable.filter { !names.contains($0) }
    if !moved.isEmpty { lost.append(Notice(.metadataNotCopiedWithXMP, ["items": moved])) }
    return (carried, xmp, lost + boundNotices)
  }

  /// Lists all metadata as not copied, since XMP of the input is not copied.
  ///
  /// - Throws: Errors that end the whole job.
  package var droppedWithXMP: [Notice] {
    get throws(ImageError) {
      let names = try portable
      return (names.isEmpty ? [] : [Notice(.metadataNotCopiedWithXMP, ["items": names])])
        + boundNotices
    }
  }

  private var fileOfTexts: PNGFile {
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray))
    file.chunks += texts
    return file
  }

  /// Whether texts contain location data.
  package var textsHaveLocation: Bool {
    get throws(ImageError) { try fileOfTexts.hasLocation }
  }

  /// Removes texts that contain location data.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  package mutating func removeTextsWithLocation(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    var file = fileOfTexts
    try file.removeLocation(&findings)
    texts = file.chunks.filter(\.type.isText)
  }

  private var boundNotices: [Notice] {
    bound.isEmpty ? [] : [Notice(.metadataOfOldCoding, ["items": bound])]
  }

  /// XMP with texts and IPTC, as far as it has properties for them, and display names of the rest; unreadable XMP is
  /// returned as it is.
  private func movedTexts(to xmp: [UInt8]?) throws(ImageError) -> (xmp: [UInt8]?, rest: [String]) {
    let ofTexts = try texts.map { chunk throws(ImageError) in try DescriptiveText(chunk) }
    let ofIPTC = try resources.flatMap { bytes throws(ImageError) in
      try ifReadable(try PhotoshopResources(parsing: bytes))
    }.map(DescriptiveText.all)
    let found = ofTexts.compactMap { $0 } + (ofIPTC?.texts ?? [])
    var rest = self
    // Version and character set alone do not describe the image.
    if let ofIPTC, ofIPTC.isComplete, ofIPTC.texts.isEmpty, try iptc != nil { rest.resources = nil }
    guard !found.isEmpty,
      var packet = try ifReadable(try XMPPacket(parsing: xmp ?? XMPPacket.empty))
    else { return (xmp, try rest.portable) }
    try packet.add(found)
    let present = try packet.found(in: found)
    rest.texts = zip(texts, ofTexts).filter { $1.map(present.contains) != true }.map(\.0)
    let moved = ofIPTC?.texts.count(where: present.contains) ?? 0
    if let ofIPTC, ofIPTC.isComplete, moved > 0, moved == ofIPTC.texts.count {
      rest.resources = nil
    }
    let names = try rest.portable.map { moved > 0 && $0 == "IPTC" ? "other fields of IPTC" : $0 }
    return (xmp != nil || !present.isEmpty ? packet.bytes : nil, names)
  }
}

extension AuxiliaryMetadata {
  /// Removes a part.
  ///
  /// - Throws: `.malformed` for resources that cannot be separated.
  package mutating func remove(
    _ part: DroppedPart, _ notices: inout [Notice]
  ) throws(ImageError) {
    if let old = resources {
      let new = try part.removed(fromResources: old, &notices)
      resources = new.isEmpty ? nil : new
    }
    if part == .thumbnails { bound.removeAll { $0 == Self.photoshopThumbnail } }
  }
}
