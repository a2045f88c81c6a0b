// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// An Exif block created from OpenEXR attributes.
///
/// Source: Exif 3.0, 4.6.
package struct NewExif {
  private var main = NewTIFFDirectory()
  private var exposure = NewTIFFDirectory()
  private var location = NewTIFFDirectory()
  private static let order = TIFFFile.ByteOrder.bigEndian

  /// The block from its TIFF header on; `nil` if no tag was set.
  package var bytes: [UInt8]? {
    var main = main
    if !exposure.isEmpty {
      var exposure = exposure
      exposure.set(Self.version, undefined: Array("0232".utf8), type: .undefined)
      main.set(.exifDirectory, exposure)
    }
    if !location.isEmpty {
      var location = location
      location.set(Self.locationVersion, undefined: [2, 3, 0, 0], type: .byte)
      main.set(.gpsDirectory, location)
    }
    guard !main.isEmpty else { return nil }
    return main.serialized(order: Self.order)
  }

  private static let version = TIFFTag(rawValue: 36864)
  private static let locationVersion = TIFFTag(rawValue: 0)

  /// Sets a tag unless it is already set.
  ///
  /// - Returns: Whether the tag was set; `false` if it already had a value or cannot store this
  ///   one.
  package mutating func set(_ place: ExifTagFormat, to value: EXRAttributes.Value) -> Bool {
    var directory = self[place.directory]
    guard !directory.contains(place.tag) else { return false }
    let isSet =
      switch value {
      case .text(let text): directory.set(place, to: text)
      case .number(let number): directory.set(place, to: number)
      case .other: false
      }
    if isSet { self[place.directory] = directory }
    return isSet
  }

  private subscript(directory: ExifTagFormat.Directory) -> NewTIFFDirectory {
    get {
      switch directory {
      case .main: main
      case .exposure: exposure
      case .location: location
      }
    }
    set {
      switch directory {
      case .main: main = newValue
      case .exposure: exposure = newValue
      case .location: location = newValue
      }
    }
  }
}

extension NewTIFFDirectory {
  fileprivate mutating func set(_ place: ExifTagFormat, to text: String) -> Bool {
    switch place.form {
    case .text: break
    case .date:
      let pattern = "0000:00:00 00:00:00"
      guard text.utf8.count == pattern.utf8.count,
        zip(text.utf8, pattern.utf8).allSatisfy({
          $1 == UInt8(ascii: "0") ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 : $0 == $1
        })
      else { return false }
    default: return false
    }
    // An ASCII value contains one zero byte, the last.
    guard !text.utf8.contains(0) else { return false }
    setText(place.tag, text)
    return true
  }

  fileprivate mutating func set(_ place: ExifTagFormat, to number: Double) -> Bool {
    let before = TIFFTag(rawValue: place.tag.rawValue - 1)
    switch place.form {
    case .text, .date: return false
    case .timeOffset:
      let minutes = -number / 60
      guard minutes == minutes.rounded(), abs(minutes) < 24 * 60 else { return false }
      let size = Int(clamping: abs(minutes))
      let sign = minutes < 0 ? "-" : "+"
      setText(place.tag, sign + Self.twoDigits(size / 60) + ":" + Self.twoDigits(size % 60))
    case .rational: return setRational(place.tag, number)
    case .distance:
      guard number != .infinity else {
        setNumbers(place.tag, [UInt32.max, 1], .rational, count: 1)
        return true
      }
      return setRational(place.tag, number)
    case .integer:
      guard let integer = UInt16(exactly: number), integer > 0 else { return false }
      setNumbers(place.tag, [integer], .short)
    case .density:
      guard number > 0, setRational(place.tag, number) else { return false }
      _ = setRational(.yResolution, number)
      setNumbers(.resolutionUnit, [2 as UInt16], .short)
    case .degrees(let positive, let negative):
      guard abs(number) <= (positive == "N" ? 90 : 180) else { return false }
      setText(before, number < 0 ? negative : positive)
      let fractions = UInt32(clamping: (abs(number) * 3600 * Self.fractionsOfSecond).rounded())
      let seconds = UInt32(clamping: Self.fractionsOfSecond)
      let (degrees, rest) = fractions.quotientAndRemainder(dividingBy: 3600 * seconds)
      setNumbers(
        place.tag, [degrees, 1, rest / (60 * seconds), 1, rest % (60 * seconds), seconds],
        .rational, count: 3)
    case .altitude:
      guard setRational(place.tag, abs(number)) else { return false }
      set(before, undefined: [number < 0 ? 1 : 0], type: .byte)
    }
    return true
  }

  /// Denominator of the seconds of an angle; finer than the single precision of OpenEXR.
  private static let fractionsOfSecond = 1000.0

  private static func twoDigits(_ number: Int) -> String {
    (number < 10 ? "0" : "") + String(number)
  }

  private mutating func setText(_ tag: TIFFTag, _ text: String) {
    set(tag, undefined: Array(text.utf8) + [0], type: .ascii)
  }

  private mutating func setNumbers<Number: FixedWidthInteger>(
    _ tag: TIFFTag, _ numbers: [Number], _ type: TIFFEntry.ValueType, count: Int? = nil
  ) {
    set(tag, numbers, type: type, count: count, order: .bigEndian)
  }

  /// Sets the simplest fraction equal to the number in single precision, which OpenEXR uses.
  private mutating func setRational(_ tag: TIFFTag, _ number: Double) -> Bool {
    guard let fraction = Self.fraction(number) else { return false }
    setNumbers(tag, [fraction.numerator, fraction.denominator], .rational, count: 1)
    return true
  }

  /// The simplest fraction by continued fractions; `nil` if the number is not representable.
  private static func fraction(_ number: Double) -> (numerator: UInt32, denominator: UInt32)? {
    guard number.isFinite, number >= 0, number < 4e9 else { return nil }
    var (last, present) = ((n: 0.0, d: 1.0), (n: 1.0, d: 0.0))
    var rest = number
    for _ in 0..<40 {
      let whole = rest.rounded(.down)
      let next = (n: whole * present.n + last.n, d: whole * present.d + last.d)
      guard next.n <= Double(UInt32.max), next.d <= Double(UInt32.max) else { break }
      (last, present) = (present, next)
      if Float(present.n / present.d) == Float(number) || rest == whole { break }
      rest = 1 / (rest - whole)
    }
    guard Float(present.n / present.d) == Float(number) else { return nil }
    return (UInt32(clamping: present.n), UInt32(clamping: present.d))
  }
}

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
