// SPDX-License-Identifier: Apache-2.0
/// The Exif tag that corresponds to an OpenEXR attribute, and the format of its value.
package struct ExifTagFormat {
  package enum Directory {
    case main
    case exposure
    case location
  }

  package enum Form {
    case text
    /// `YYYY:MM:DD hh:mm:ss`.
    case date
    /// The attribute is seconds to be added to local time to get UTC; Exif stores the UTC offset as
    /// `+hh:mm`.
    case timeOffset
    case rational
    /// Meters, or infinity.
    case distance
    /// An integer of 16 bits.
    case integer
    /// Pixels per inch.
    case density
    /// Degrees, stored as degrees, minutes and seconds; the preceding tag stores the direction.
    case degrees(positive: String, negative: String)
    /// Meters above sea level; the preceding tag signals values below sea level.
    case altitude
  }

  package var directory: Directory
  package var tag: TIFFTag
  package var form: Form

  /// The Exif tag for an attribute; `nil` if no tag has the same meaning.
  package init?(ofAttribute name: String) {
    guard let place = Self.places[name] else { return nil }
    self = place
  }

  private init(_ directory: Directory, _ tag: UInt16, _ form: Form) {
    self.directory = directory
    self.tag = TIFFTag(rawValue: tag)
    self.form = form
  }

  /// Exif tags by attribute name.
  ///
  /// Capitalized names are Exif names, which OpenImageIO uses for tags without a standard
  /// attribute.
  private static let places: [String: ExifTagFormat] = [
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
