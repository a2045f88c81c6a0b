// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Metadata of an image other than Exif, XMP and an ICC profile.
public struct AuxiliaryMetadata: Hashable, Sendable {
  /// Photoshop image resources that remain valid if the image is re-encoded, mainly IPTC; `nil`
  /// without any.
  public var resources: [UInt8]?
  /// JPEG comments, without the headers of their segments; their character set is unspecified.
  public var comments: [[UInt8]] = []
  /// Display names of metadata that are bound to the encoding of the image or to the file format.
  package var bound: [String] = []

  public init() {}

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
    if thumbnails > 0 { bound.append("Photoshop thumbnail") }
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
  var isC2PA: Bool {
    payload.dropFirst(20).starts(with: "jumdc2pa".utf8)
  }
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
  /// Text chunks other than XMP, and content credentials.
  ///
  /// - Throws: Errors that end the whole job.
  package func auxiliaryMetadata() throws(ImageError) -> AuxiliaryMetadata {
    var auxiliary = AuxiliaryMetadata()
    var texts: [[UInt8]] = []
    for chunk in chunks
    where [.text, .compressedText, .internationalText].contains(chunk.type) {
      if let text = try ifReadable(try data(of: chunk)) { texts.append(text) }
    }
    // Keywords are Latin-1 (PNG, third edition, 11.3.3.1), whose code values equal Unicode scalars.
    let keywords = texts.map { text in
      String(String.UnicodeScalarView(text.prefix { $0 != 0 }.prefix(79).map(Unicode.Scalar.init)))
    }.filter { $0 != Self.xmpKeyword }
    if !keywords.isEmpty {
      auxiliary.bound.append(
        keywords.count <= 5
          ? "PNG text (\(keywords.joined(separator: ", ")))" : "\(keywords.count) PNG text chunks")
    }
    if chunks.contains(where: { $0.type == .contentCredentials }) {
      auxiliary.bound.append("content credentials (C2PA)")
    }
    return auxiliary
  }
}

extension AuxiliaryMetadata {
  /// The part of the metadata that files of a format can store.
  package func carried(by format: FileFormat) -> AuxiliaryMetadata {
    var carried = self
    carried.bound = []
    if !format.traits.carriesComments { carried.comments = [] }
    if !format.traits.carriesImageResources { carried.resources = nil }
    return carried
  }

  /// Lists metadata that are not copied to a new file.
  ///
  /// - Parameters:
  ///   - format: Format of the new file.
  ///   - kept: Metadata to copy, as far as the format can store them; `nil` for all.
  /// - Returns: One notice for metadata that the format cannot store, and one for metadata that are
  ///   bound to the previous encoding.
  /// - Throws: Errors that end the whole job.
  package func dropped(
    in format: FileFormat, keeping kept: AuxiliaryMetadata? = nil
  ) throws(ImageError) -> [Notice] {
    let carried = (kept ?? self).carried(by: format)
    var rest = self
    if carried.resources != nil { rest.resources = nil }
    if !carried.comments.isEmpty { rest.comments = [] }
    var notices: [Notice] = []
    let portable = try rest.portable
    if !portable.isEmpty {
      notices.append(
        Notice(.metadataNotPortable, ["format": format.title, "items": portable]))
    }
    if !bound.isEmpty {
      notices.append(
        Notice(.metadataOfOldCoding, ["items": bound]))
    }
    return notices
  }
}
