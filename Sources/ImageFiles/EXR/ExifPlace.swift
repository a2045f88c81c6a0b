package import ImageContainers

/// An Exif tag with the meaning of an OpenEXR attribute, and how its value is spelled there.
package struct ExifPlace {
  package enum Directory {
    case main
    case exposure
    case location
  }

  package enum Form {
    case text
    /// `YYYY:MM:DD hh:mm:ss`.
    case date
    /// Seconds to universal time; Exif says how far ahead of it local time is, as `+hh:mm`.
    case timeOffset
    case rational
    /// Meters, or infinity.
    case distance
    /// An integer of 16 bits.
    case integer
    /// Pixels per inch.
    case density
    /// Degrees, as degrees, minutes and seconds in the direction that the tag before names.
    case degrees(positive: String, negative: String)
    /// Meters above sea level; the tag before tells whether it is below.
    case altitude
  }

  package var directory: Directory
  package var tag: TIFFTag
  package var form: Form

  /// The place for an attribute; `nil` if no tag means the same.
  package init?(ofAttribute name: String) {
    guard let place = Self.places[name] else { return nil }
    self = place
  }

  private init(_ directory: Directory, _ tag: UInt16, _ form: Form) {
    self.directory = directory
    self.tag = TIFFTag(rawValue: tag)
    self.form = form
  }

  /// Capitalized names are those of Exif, under which OpenImageIO stores what has no other.
  private static let places: [String: ExifPlace] = [
    "comments": .init(.main, 270, .text),
    "cameraMake": .init(.main, 271, .text),
    "Make": .init(.main, 271, .text),
    "cameraModel": .init(.main, 272, .text),
    "Model": .init(.main, 272, .text),
    "xDensity": .init(.main, 282, .density),
    "Software": .init(.main, 305, .text),
    "Artist": .init(.main, 315, .text),
    "owner": .init(.main, 33432, .text),
    "Copyright": .init(.main, 33432, .text),
    "expTime": .init(.exposure, 33434, .rational),
    "aperture": .init(.exposure, 33437, .rational),
    "isoSpeed": .init(.exposure, 34855, .integer),
    "capDate": .init(.exposure, 36867, .date),
    "utcOffset": .init(.exposure, 36881, .timeOffset),
    "focus": .init(.exposure, 37382, .distance),
    "nominalFocalLength": .init(.exposure, 37386, .rational),
    "cameraSerialNumber": .init(.exposure, 42033, .text),
    "lensMake": .init(.exposure, 42035, .text),
    "lensModel": .init(.exposure, 42036, .text),
    "lensSerialNumber": .init(.exposure, 42037, .text),
    "latitude": .init(.location, 2, .degrees(positive: "N", negative: "S")),
    "longitude": .init(.location, 4, .degrees(positive: "E", negative: "W")),
    "altitude": .init(.location, 6, .altitude),
  ]
}
