// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The headers of an OpenEXR file, checked before the library allocates memory for the sizes in
/// them.
///
/// Source: OpenEXR File Layout, "Header", "Attribute types", "Multi-part".
package struct EXRHeader: Sendable {
  /// The header of one part.
  package struct Part: Sendable {
    /// `scanlineimage`, `tiledimage`, `deepscanline` or `deeptile`.
    package var type: String?
    package var name: String?
    /// The view of all channels of the part, in files of several.
    package var view: String?
    /// Names of several views in one part, the default first.
    package var views: [String] = []
    package var channels: [Channel] = []
    package var compression: UInt8?
    package var dataWindow: Window?
    package var displayWindow: Window?
    package var tile: (width: Int, height: Int)?
    package var chromaticities: ColorPrimaries?
    package var referenceWhite: Double?
    /// Width of a pixel divided by its height.
    package var pixelAspectRatio = 1.0
    /// Exif as written by darktable and others, with or without `Exif\0\0` before the TIFF header.
    package var exif: [UInt8]?
    package var xmp: [UInt8]?
    package var attributes = EXRAttributes()
  }

  package struct Channel: Hashable {
    package var name: String
    /// 0: unsigned integer, 1: half, 2: float.
    package var pixelType: Int32
    package var xSampling: Int32
    package var ySampling: Int32

    package var bytesPerSample: Int { pixelType == 1 ? 2 : 4 }
  }

  /// The pixels from `minX`, `minY` to `maxX`, `maxY`, both inclusive.
  package struct Window: Hashable {
    package var minX: Int
    package var minY: Int
    package var maxX: Int
    package var maxY: Int

    package var width: Int { maxX - minX + 1 }
    package var height: Int { maxY - minY + 1 }
  }

  package var parts: [Part] = []
  /// Offset of the end of the headers, where the chunk offset tables begin.
  package let end: Int

  package init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    guard try reader.readLittleEndian(as: UInt32.self) == 20_000_630 else {
      throw reader.error(.notOfFormat, ["format": "OpenEXR"])
    }
    let version = try reader.readLittleEndian(as: UInt32.self)
    guard version & 0xFF == 2 else {
      throw reader.error(
        .unsupportedValue, ["field": "version of OpenEXR", "value": version & 0xFF])
    }
    let isMultiPart = version & 0x1000 != 0
    var attributes = 0
    repeat {
      var part = Part()
      var isEmpty = true
      while true {
        let name = try reader.readCString()
        if name.isEmpty { break }
        isEmpty = false
        attributes += 1
        guard attributes <= limits.items else {
          throw reader.error(.tooManyElements, ["limit": limits.items, "elements": "attributes"])
        }
        try Execution.current.budget.debit(
          elements: 1, of: "attributes", at: .init(offset: reader.fileOffset))
        let type = try reader.readCString()
        let size = try reader.readLittleEndian(as: Int32.self)
        var value = try reader.readSlice(Int(size))
        do {
          try Self.checkSize(of: value, type: type)
          try part.take(name, type: type, from: &value, limits: limits)
        } catch {
          throw error.inside(name)
        }
      }
      if isEmpty { break }
      if !isMultiPart, version & 0x800 == 0 {
        // Single-part files signal tiles with this bit; the attribute was added in version 2.0.
        part.type = version & 0x200 != 0 ? "tiledimage" : "scanlineimage"
      }
      parts.append(part)
    } while isMultiPart
    end = reader.fileOffset
    guard !parts.isEmpty else {
      throw reader.error(.missingElement, ["element": "part with an image"])
    }
  }

  /// Checks that a value ends where OpenEXR stops reading it.
  ///
  /// For most types, OpenEXR ignores the declared size. It would parse the bytes after the value as
  /// other attributes than those that are checked here, and allocate memory for their sizes.
  private static func checkSize(of value: ByteReader, type: String) throws(ImageError) {
    guard let unread = try? bytesAfter(value, type: type), unread == 0 else {
      throw value.error(
        .invalidValue, ["field": "size of a value of type \(type)", "value": value.remaining])
    }
  }

  /// Number of bytes after those that OpenEXR reads.
  private static func bytesAfter(_ value: ByteReader, type: String) throws(ImageError) -> Int {
    var reader = value
    switch type {
    case "chlist":
      while try !reader.readCString().isEmpty { try reader.skip(16) }
    case "floatvector": try reader.skip(reader.remaining & ~3)
    case "preview":
      let width = Int(try reader.readLittleEndian(as: UInt32.self))
      let height = Int(try reader.readLittleEndian(as: UInt32.self))
      let (count, overflow) = width.multipliedReportingOverflow(by: 4 * height)
      try reader.skip(overflow ? Int.max : count)
    case "stringvector":
      while !reader.isAtEnd { try reader.skip(Int(try reader.readLittleEndian(as: Int32.self))) }
    default: try reader.skip(sizes[type] ?? reader.remaining)
    }
    return reader.remaining
  }

  /// Sizes of the types whose values have the same size in all files.
  private static let sizes: [String: Int] = [
    "box2f": 16, "box2i": 16, "chromaticities": 32, "compression": 1, "deepImageState": 1,
    "double": 8, "envmap": 1, "float": 4, "int": 4, "keycode": 28, "lineOrder": 1, "m33d": 72,
    "m33f": 36, "m44d": 128, "m44f": 64, "rational": 8, "tiledesc": 9, "timecode": 8, "v2d": 16,
    "v2f": 8, "v2i": 8, "v3d": 24, "v3f": 12, "v3i": 12,
  ]

  /// Reads the headers of a file, loading no more of it than necessary.
  package static func read(from source: ByteSource, limits: ImageLimits) throws(ImageError)
    -> EXRHeader
  {
    var length = 1 << 16
    while true {
      let bytes = try source.prefix(length)
      var reader = ByteReader(bytes.span)
      do {
        return try EXRHeader(parsing: &reader, limits: limits)
      } catch {
        guard error.category == .truncated, length < source.count else { throw error }
        length *= 4
      }
    }
  }
}

extension EXRHeader.Part {
  /// Luminance of linear value 1.0, from `whiteLuminance`.
  ///
  /// A value of 1 is ignored: some programs write it as a placeholder, and 1 cd/m² is not a
  /// plausible white.
  package var declaredReferenceWhite: DeclaredReferenceWhite {
    DeclaredReferenceWhite(referenceWhite, named: "whiteLuminance") { $0 > 1 }
  }

  fileprivate mutating func take(
    _ attribute: String, type attributeType: String, from value: inout ByteReader,
    limits: ImageLimits
  ) throws(ImageError) {
    switch (attribute, attributeType) {
    case ("channels", "chlist"): channels = try Self.channels(from: &value, limits: limits)
    case ("compression", "compression"): compression = try value.readBigEndian()
    case ("dataWindow", "box2i"): dataWindow = try .init(parsing: &value)
    case ("displayWindow", "box2i"): displayWindow = try .init(parsing: &value)
    case ("tiles", "tiledesc"):
      let width = try value.readLittleEndian(as: UInt32.self)
      let height = try value.readLittleEndian(as: UInt32.self)
      guard width > 0, height > 0 else {
        throw value.error(.invalidValue, ["field": "size of tiles", "value": "\(width)x\(height)"])
      }
      tile = (Int(width), Int(height))
    case ("chromaticities", "chromaticities"):
      chromaticities = ColorPrimaries(
        red: try .init(parsing: &value), green: try .init(parsing: &value),
        blue: try .init(parsing: &value), white: try .init(parsing: &value))
    case ("pixelAspectRatio", "float"): pixelAspectRatio = Double(try value.readFloat())
    case ("whiteLuminance", "float"): referenceWhite = Double(try value.readFloat())
    case ("exif", "blob"):
      let size = try value.readLittleEndian(as: UInt32.self)
      exif = try value.readBytes(Int(size))
    case ("xmp", "string"): xmp = value.readRest()
    case ("type", "string"): type = String(decoding: value.readRest(), as: UTF8.self)
    case ("name", "string"): name = String(decoding: value.readRest(), as: UTF8.self)
    case ("view", "string"): view = String(decoding: value.readRest(), as: UTF8.self)
    case ("multiView", "stringvector"):
      while value.remaining > 0, views.count < limits.items {
        let size = Int(try value.readLittleEndian(as: UInt32.self))
        views.append(String(decoding: try value.readBytes(size), as: UTF8.self))
      }
    default: attributes.take(attribute, type: attributeType, from: &value)
    }
  }

  private static func channels(
    from reader: inout ByteReader, limits: ImageLimits
  ) throws(ImageError) -> [EXRHeader.Channel] {
    var channels: [EXRHeader.Channel] = []
    while true {
      let name = try reader.readCString()
      if name.isEmpty { return channels }
      guard channels.count < limits.items else {
        throw reader.error(.tooManyElements, ["limit": limits.items, "elements": "channels"])
      }
      try Execution.current.budget.debit(
        elements: 1, of: "channels", at: .init(offset: reader.fileOffset))
      let pixelType = try reader.readLittleEndian(as: Int32.self)
      try reader.skip(4)  // pLinear and three reserved bytes.
      let (x, y) = (
        try reader.readLittleEndian(as: Int32.self), try reader.readLittleEndian(as: Int32.self)
      )
      guard 0...2 ~= pixelType, x > 0, y > 0 else {
        throw reader.error(
          .malformed, "invalid channel {name}: pixel type {type}, sampling {x}x{y}",
          ["name": name, "type": "\(pixelType)", "x": x, "y": y])
      }
      channels.append(.init(name: name, pixelType: pixelType, xSampling: x, ySampling: y))
    }
  }
}

extension EXRHeader.Window {
  fileprivate init(parsing reader: inout ByteReader) throws(ImageError) {
    minX = Int(try reader.readLittleEndian(as: Int32.self))
    minY = Int(try reader.readLittleEndian(as: Int32.self))
    maxX = Int(try reader.readLittleEndian(as: Int32.self))
    maxY = Int(try reader.readLittleEndian(as: Int32.self))
    guard minX <= maxX, minY <= maxY else {
      throw reader.error(
        .invalidValue, ["field": "window", "value": "\(minX),\(minY) to \(maxX),\(maxY)"])
    }
  }
}

extension Chromaticity {
  /// Reads single-precision coordinates, rounded to six decimal places.
  ///
  /// Further digits result from single precision. Without them, the primaries of standards are
  /// recognized, and no conversion matrix close to identity alters saturated colors.
  fileprivate init(parsing reader: inout ByteReader) throws(ImageError) {
    let x = (Double(try reader.readFloat()) * 1e6).rounded() / 1e6
    self.init(x: x, y: (Double(try reader.readFloat()) * 1e6).rounded() / 1e6)
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  package mutating func readFloat() throws(ImageError) -> Float {
    Float(bitPattern: try readLittleEndian())
  }
}

/// Header attributes that do not describe samples.
package struct EXRAttributes {
  /// The value of an attribute, by type.
  package enum Value: Hashable {
    case text(String)
    case number(Double)
    case other
  }

  /// Attribute names in file order.
  private(set) var names: [String] = []
  private var values: [String: Value] = [:]

  package subscript(name: String) -> Value? { values[name] }

  /// Adds an attribute, unless it describes the storage or display of samples.
  package mutating func take(_ name: String, type: String, from value: inout ByteReader) {
    guard !Self.structural.contains(name) else { return }
    if values[name] == nil { names.append(name) }
    values[name] =
      switch type {
      case "string": .text(String(decoding: value.readRest(), as: UTF8.self))
      case "float": (try? value.readFloat()).map { .number(Double($0)) } ?? .other
      case "int":
        (try? value.readLittleEndian(as: Int32.self)).map { .number(Double($0)) } ?? .other
      default: .other
      }
  }

  /// Attributes of sample storage and display, which are not collected.
  ///
  /// Source: OpenEXR File Layout, "Header attributes": those of all files, of tiled, multi-part and
  /// deep files, and of compression.
  private static let structural: Set = [
    "channels", "chunkCount", "compression", "dataWindow", "deepImageState", "displayWindow",
    "dwaCompressionLevel", "lineOrder", "maxSamplesPerPixel", "multiView", "name",
    "pixelAspectRatio",
    "screenWindowCenter", "screenWindowWidth", "tiles", "type", "version", "view",
  ]
}
