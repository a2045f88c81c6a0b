// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// The most commonly used Exif values; those that are missing are `nil`.
public struct ExifSummary: Hashable, Sendable {
  /// Size of the Exif block, in bytes.
  public var byteCount: Int
  /// Camera make.
  public var make: String?
  /// Camera model.
  public var model: String?
  /// Lens model.
  public var lens: String?
  /// Software that wrote the file.
  public var software: String?
  /// Date and time of capture (DateTimeOriginal), else of the last change (DateTime), as stored:
  /// `YYYY:MM:DD hh:mm:ss`.
  public var date: String?
  /// Exposure time, in seconds.
  public var exposureTime: Double?
  /// F-number.
  public var fNumber: Double?
  /// ISO sensitivity (PhotographicSensitivity).
  public var sensitivity: Double?
  /// Focal length, in millimeters.
  public var focalLength: Double?
  /// Orientation; `nil` if it is missing or invalid.
  public var orientation: Orientation?
  /// Whether the GPS directory has entries other than its version.
  public var hasLocation: Bool
  /// Size of the maker note, in bytes; `nil` if missing.
  public var makerNoteBytes: Int?

  /// Creates a summary from the directories of an Exif block or a TIFF file.
  ///
  /// - Throws: Errors that end the whole job.
  package init(_ file: TIFFFile, byteCount: Int) throws(ImageError) {
    let directories = try file.describingDirectories
    func directory(_ tag: TIFFTag) throws(ImageError) -> Directory? {
      guard let entry = directories.lazy.compactMap({ $0[tag] }).first else { return nil }
      return try file.firstSubdirectory(entry).map { ($0, file) }
    }
    try self.init(
      directories.map { ($0, file) } + [try directory(.exifDirectory)],
      location: try directory(.gpsDirectory),
      byteCount: byteCount)
  }

  /// Creates a summary from directories in separate structures, as in Canon CR3 files.
  ///
  /// - Throws: Errors that end the whole job.
  init(
    main: TIFFFile, exposure: TIFFFile?, location: TIFFFile?, byteCount: Int
  ) throws(ImageError) {
    func first(_ file: TIFFFile?) -> Directory? { file.map { ($0.mainDirectory, $0) } }
    try self.init([first(main), first(exposure)], location: first(location), byteCount: byteCount)
  }

  private typealias Directory = (entries: TIFFDirectory, file: TIFFFile)

  private init(
    _ directories: [Directory?], location: Directory?, byteCount: Int
  ) throws(ImageError) {
    self.byteCount = byteCount
    func find(_ tag: TIFFTag) -> (entry: TIFFEntry, file: TIFFFile)? {
      for case let directory? in directories {
        if let entry = directory.entries[tag] { return (entry, directory.file) }
      }
      return nil
    }
    func text(_ tag: TIFFTag) throws(ImageError) -> String? {
      guard let (entry, file) = find(tag) else { return nil }
      return try file.text(entry)
    }
    func number(_ tag: TIFFTag) throws(ImageError) -> Double? {
      guard let (entry, file) = find(tag),
        let value = try ifReadable(try file.numbers(entry).first), value.isFinite
      else { return nil }
      return value
    }
    make = try text(.make)
    model = try text(.model)
    lens = try text(.lensModel)
    software = try text(.software)
    let dates = (original: try text(.dateTimeOriginal), changed: try text(.dateTime))
    date = dates.original ?? dates.changed
    exposureTime = try number(.exposureTime)
    fNumber = try number(.fNumber)
    sensitivity = try number(.isoSpeed)
    focalLength = try number(.focalLength)
    orientation = try number(.orientation).flatMap { Int(exactly: $0) }
      .flatMap(Orientation.init(rawValue:))
    hasLocation = location?.entries.entries.contains { $0.tag.rawValue != 0 } ?? false
    makerNoteBytes = find(.makerNote)?.entry.values.count
  }
}

/// Summary of an XMP packet.
public struct XMPSummary: Hashable, Sendable {
  /// Size of the packet, in bytes.
  public var byteCount: Int
  /// Namespaces of its properties, in order of first use.
  public var namespaces: [String]
  /// The program that made the file (`xmp:CreatorTool`); `nil` if missing.
  public var creatorTool: String?

  init(_ packet: XMPPacket) {
    byteCount = packet.bytes.count
    namespaces = packet.namespaces
    creatorTool = packet[XMPName("http://ns.adobe.com/xap/1.0/", "CreatorTool")]?.text
  }
}

/// Summary of an embedded ICC profile.
public struct ProfileSummary: Hashable, Sendable {
  /// Size of the profile, in bytes.
  public var byteCount: Int
  /// Text of the description tag; `nil` if missing.
  public var description: String?
  /// Profile version, such as `4.4`.
  public var version: String
  /// Device class signature of four characters, such as `mntr` for displays; in hexadecimal if it
  /// is not printable.
  public var deviceClass: String
  /// Color space signature without trailing spaces, such as `RGB` or `GRAY`.
  public var colorSpace: String
  /// Code points of the `cicp` tag; `nil` if missing.
  public var cicp: CICP?

  /// Parses a profile; `nil` if it is unreadable.
  init?(_ bytes: [UInt8]) {
    guard let profile = try? ICCProfile(parsing: bytes) else { return nil }
    byteCount = bytes.count
    description = profile.description
    version = "\(profile.header.majorVersion).\(profile.header.minorVersion)"
    deviceClass = "\(profile.header.deviceClass)"
    colorSpace = "\(profile.header.colorSpace)".trimmingSpaces
    cicp = profile.cicp
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
