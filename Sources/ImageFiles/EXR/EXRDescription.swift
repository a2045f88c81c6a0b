package import HDRCore
internal import ImageContainers

/// What a header says about its picture, as Exif where that has a tag of the same meaning.
///
/// A file's own block of Exif stands above its attributes. What neither holds is named in a notice.
///
/// Source: OpenEXR, "Standard Optional Attributes"; Exif 3.0, 4.6. OpenImageIO reads and writes
/// `owner` and `comments` as these tags, too, and leaves others under their Exif names.
package struct EXRDescription {
  /// From the TIFF header on; `nil` if there is nothing to say.
  package private(set) var exif: [UInt8]?
  package private(set) var notices: [Notice] = []

  package init(_ part: EXRHeader.Part) {
    var lost: [String] = []
    if let block = part.exif {
      exif = block
      let parsed = try? ExifBlock(parsing: block)
      lost = part.attributes.names.filter { name in
        guard let place = ExifPlace(ofAttribute: name) else { return true }
        return parsed?.holds(place) != true
      }
    } else {
      var new = NewExif()
      lost = part.attributes.names.filter { name in
        guard let place = ExifPlace(ofAttribute: name) else { return true }
        return !new.set(place, to: part.attributes[name] ?? .other)
      }
      exif = new.bytes
    }
    guard !lost.isEmpty else { return }
    notices = [
      Notice(
        .exrAttributesNotCopied,
        ["attributes": lost.prefix(Self.mostNames).map { String($0.prefix(64)) }],
        at: .init(path: ["header"]))
    ]
  }

  private static let mostNames = 1000
}

extension ExifBlock {
  fileprivate func holds(_ place: ExifPlace) -> Bool {
    switch place.directory {
    case .main: main[place.tag] != nil
    case .exposure: exposure?[place.tag] != nil
    case .location: location?[place.tag] != nil
    }
  }

  private var location: TIFFDirectory? {
    main[.gpsDirectory].flatMap { structure.subdirectories($0).first }
  }
}
