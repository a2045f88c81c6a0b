// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Descriptive attributes of a header, converted to Exif tags of the same meaning.
///
/// An Exif block in the file takes precedence over attributes. Attributes that Exif does not
/// contain are listed in a notice.
///
/// Source: OpenEXR, "Standard Optional Attributes"; Exif 3.0, 4.6. OpenImageIO maps `owner` and
/// `comments` to the same tags, and stores other tags under their Exif names.
package struct EXRDescription {
  /// Exif from its TIFF header on; `nil` if it would be empty.
  package private(set) var exif: [UInt8]?
  package private(set) var notices: [Notice] = []

  package init(_ part: EXRHeader.Part) throws(ImageError) {
    var dropped: [String] = []
    if let block = part.exif {
      exif = block
      let parsed = try ifReadable(try ExifBlock(parsing: block))
      for name in part.attributes.names {
        let place = ExifTagFormat(ofAttribute: name)
        if let place, try parsed?.holds(place) == true { continue }
        dropped.append(name)
      }
    } else {
      var new = NewExif()
      dropped = part.attributes.names.filter { name in
        guard let place = ExifTagFormat(ofAttribute: name) else { return true }
        return !new.set(place, to: part.attributes[name] ?? .other)
      }
      exif = new.bytes
    }
    guard !dropped.isEmpty else { return }
    notices = [
      Notice(
        .exrAttributesNotCopied,
        ["attributes": dropped.prefix(Self.mostNames).map { String($0.prefix(64)) }],
        at: .init(path: ["header"]))
    ]
  }

  private static let mostNames = 1000
}

extension ExifBlock {
  fileprivate func holds(_ place: ExifTagFormat) throws(ImageError) -> Bool {
    switch place.directory {
    case .main: main[place.tag] != nil
    case .exposure: exposure?[place.tag] != nil
    case .location: try location?[place.tag] != nil
    }
  }

  private var location: TIFFDirectory? {
    get throws(ImageError) {
      guard let entry = main[.gpsDirectory] else { return nil }
      return try structure.firstSubdirectory(entry)
    }
  }
}
