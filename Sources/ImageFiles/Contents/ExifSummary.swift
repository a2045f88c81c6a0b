public import HDRCore
public import ImageContainers

/// What Exif says that people ask for first.
public struct ExifSummary: Hashable, Sendable {
  /// Number of bytes.
  public var byteCount: Int
  /// Maker of the camera.
  public var make: String?
  /// Model of the camera.
  public var model: String?
  /// Model of the lens.
  public var lens: String?
  /// Software that wrote the file.
  public var software: String?
  /// When the picture was taken, as Exif spells it.
  public var date: String?
  /// Exposure time, in seconds.
  public var exposureTime: Double?
  /// F-number.
  public var fNumber: Double?
  /// ISO sensitivity.
  public var sensitivity: Double?
  /// mm.
  public var focalLength: Double?
  /// Orientation.
  public var orientation: Orientation?
  /// Whether the block tells where the picture was taken.
  public var hasLocation: Bool
  /// Bytes of the camera's private notes.
  public var makerNoteBytes: Int?

  /// Reads from the directories of an Exif block or of a TIFF file.
  public init(_ file: TIFFFile, byteCount: Int) {
    let main = file.directories[0]
    func directory(_ tag: TIFFTag) -> Directory? {
      main[tag].flatMap { file.subdirectories($0).first }.map { ($0, file) }
    }
    self.init(
      [(main, file), directory(.exifDirectory)], location: directory(.gpsDirectory),
      byteCount: byteCount)
  }

  /// Reads from directories that are structures of their own, as Canon has them.
  init(main: TIFFFile, exposure: TIFFFile?, location: TIFFFile?, byteCount: Int) {
    func first(_ file: TIFFFile?) -> Directory? { file.map { ($0.directories[0], $0) } }
    self.init([first(main), first(exposure)], location: first(location), byteCount: byteCount)
  }

  private typealias Directory = (entries: TIFFDirectory, file: TIFFFile)

  private init(_ directories: [Directory?], location: Directory?, byteCount: Int) {
    self.byteCount = byteCount
    func find<Value>(_ tag: TIFFTag, _ read: (TIFFEntry, TIFFFile) -> Value?) -> Value? {
      for case let directory? in directories {
        if let entry = directory.entries[tag] { return read(entry, directory.file) }
      }
      return nil
    }
    func text(_ tag: TIFFTag) -> String? { find(tag) { $1.text($0) } }
    func number(_ tag: TIFFTag) -> Double? {
      find(tag) { try? $1.numbers($0).first }.flatMap { $0.isFinite ? $0 : nil }
    }
    make = text(.make)
    model = text(.model)
    lens = text(.lensModel)
    software = text(.software)
    date = text(.dateTimeOriginal) ?? text(.dateTime)
    exposureTime = number(.exposureTime)
    fNumber = number(.fNumber)
    sensitivity = number(.isoSpeed)
    focalLength = number(.focalLength)
    orientation = number(.orientation).flatMap { Int(exactly: $0) }
      .flatMap(Orientation.init(rawValue:))
    hasLocation = location?.entries.entries.contains { $0.tag.rawValue != 0 } ?? false
    makerNoteBytes = find(.makerNote) { entry, _ in entry.values.count }
  }
}

/// What an XMP packet is about.
public struct XMPSummary: Hashable, Sendable {
  /// Number of bytes.
  public var byteCount: Int
  /// Namespaces of its properties, in order of first use.
  public var namespaces: [String]
  /// The program that made the file.
  public var creatorTool: String?

  init(_ packet: XMPPacket) {
    byteCount = packet.bytes.count
    namespaces = packet.namespaces
    creatorTool = packet[XMPName("http://ns.adobe.com/xap/1.0/", "CreatorTool")]?.text
  }
}

/// An embedded ICC profile.
public struct ProfileSummary: Hashable, Sendable {
  /// Number of bytes.
  public var byteCount: Int
  public var description: String?
  /// `4.4`.
  public var version: String
  /// Four letters: `mntr` for displays.
  public var deviceClass: String
  /// Four letters: `RGB`, `GRAY`.
  public var colorSpace: String
  /// The code points of its `cicp` tag.
  public var cicp: CICP?

  /// Reads a profile; `nil` if it cannot be read.
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
