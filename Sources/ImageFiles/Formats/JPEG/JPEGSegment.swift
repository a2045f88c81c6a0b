// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A marker segment: a marker and its parameters.
///
/// Source: ITU-T T.81, B.1.1.
package struct JPEGSegment: Hashable, Sendable {
  /// The marker.
  package let marker: JPEGMarker
  /// Bytes after the length, at most 65533; empty for a marker without a length.
  package let payload: [UInt8]
  /// Range of the segment in its source, including preceding fill bytes; `nil` for a new segment.
  package let stored: Range<Int>?

  init(_ marker: JPEGMarker, _ payload: [UInt8], stored: Range<Int>? = nil) {
    self.marker = marker
    self.payload = payload
    self.stored = stored
  }

  /// Creates a segment with a role.
  ///
  /// - Precondition: `body` is at most `role.longestBody` bytes.
  init(_ role: Role, body: [UInt8]) {
    precondition(body.count <= role.longestBody, "\(body.count) bytes do not fit a segment")
    self.init(role.marker, role.signature + body)
  }

  /// Maximum size of a payload: the length field counts itself.
  static let longestPayload = 0xFFFF - 2

  /// Purpose of a segment, determined by its marker and first bytes.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    /// JFIF header (APP0).
    case jfif
    /// JFIF extension with a thumbnail (APP0).
    case jfifExtension
    /// Exif (APP1).
    case exif
    /// XMP packet (APP1).
    case xmp
    /// A part of extended XMP (APP1).
    case extendedXMP
    /// A chunk of an ICC profile (APP2).
    case icc
    /// Gain map metadata of ISO 21496-1, or their version (APP2).
    case isoGainMap
    /// MPF directory (APP2).
    case multiPicture
    /// Photoshop image resources, for example IPTC (APP13).
    case photoshop
    /// Adobe segment with the color transform (APP14).
    case adobe
    /// Comment (COM).
    case comment
    /// Another application segment, or a segment of the coded image.
    case other
  }

  /// Purpose of the segment, by its marker and first bytes.
  package var role: Role {
    if marker == Role.exif.marker, ExifBlock.hasPrefix(payload) { return .exif }
    return Role.allCases.first {
      $0.marker == marker && $0 != .other && payload.starts(with: $0.signature)
    } ?? .other
  }

  /// Payload after the signature of its role; all of it for `.comment` and `.other`.
  package var body: [UInt8] { Array(payload.dropFirst(role.signature.count)) }

  /// Serializes the segment.
  package func serialized() -> [UInt8] {
    var writer = ByteWriter()
    writer.write([0xFF, marker.rawValue])
    if !marker.standsAlone {
      writer.writeBigEndian(UInt16(clamping: payload.count + 2))
      writer.write(payload)
    }
    return writer.bytes
  }
}

extension JPEGSegment.Role {
  /// Marker of segments with this role; COM for `.other`.
  var marker: JPEGMarker {
    switch self {
    case .jfif, .jfifExtension: .application(0)
    case .exif, .xmp, .extendedXMP: .application(1)
    case .icc, .isoGainMap, .multiPicture: .application(2)
    case .photoshop: .application(13)
    case .adobe: .application(14)
    case .comment, .other: .comment
    }
  }

  /// Signature at the start of the payload.
  ///
  /// Source: JFIF 1.02; Exif 3.0, 4.7.2; XMP part 3, 1.1.3; ICC.1, B.4; CIPA DC-007, 5.1; ISO
  /// 21496-1, annex C.4.
  var signature: [UInt8] {
    switch self {
    case .jfif: Array("JFIF\0".utf8)
    case .jfifExtension: Array("JFXX\0".utf8)
    case .exif: Array("Exif\0\0".utf8)
    case .xmp: Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    case .extendedXMP: Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    case .icc: Array("ICC_PROFILE\0".utf8)
    case .isoGainMap: Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    case .multiPicture: Array("MPF\0".utf8)
    case .photoshop: Array("Photoshop 3.0\0".utf8)
    case .adobe: Array("Adobe".utf8)
    case .comment, .other: []
    }
  }

  /// Maximum number of bytes after the signature.
  package var longestBody: Int { JPEGSegment.longestPayload - signature.count }
}

/// The second byte of a marker; the first byte is always 0xFF.
///
/// Source: ITU-T T.81, table B.1.
package struct JPEGMarker: RawRepresentable, Hashable, Sendable {
  /// The byte: 0xC0 is SOF0, 0xE1 is APP1.
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let startOfImage = JPEGMarker(rawValue: 0xD8)
  package static let endOfImage = JPEGMarker(rawValue: 0xD9)
  package static let startOfScan = JPEGMarker(rawValue: 0xDA)
  package static let comment = JPEGMarker(rawValue: 0xFE)

  /// Returns the marker of APP0 to APP15; only the four low bits of `number` are used.
  package static func application(_ number: UInt8) -> JPEGMarker {
    JPEGMarker(rawValue: 0xE0 | number & 0x0F)
  }

  /// Whether the marker is one of APP0 to APP15.
  package var isApplication: Bool { rawValue & 0xF0 == 0xE0 }

  /// Whether the marker is SOF0 to SOF15, except DHT, JPG and DAC.
  package var isFrame: Bool {
    rawValue & 0xF0 == 0xC0 && rawValue != 0xC4 && rawValue != 0xC8 && rawValue != 0xCC
  }

  /// Whether the marker is RST0 to RST7, which occur within the coded data of a scan.
  var isRestart: Bool { rawValue & 0xF8 == 0xD0 }

  /// Whether the segment is part of the coded image: SOF, DHT, DAC, SOS, DQT, DNL, DRI or RST.
  package var isOfCodedImage: Bool {
    isFrame || isRestart || [0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD].contains(rawValue)
  }

  /// Whether the marker is not followed by a length: RST, SOI, EOI and TEM.
  var standsAlone: Bool {
    isRestart || self == .startOfImage || self == .endOfImage || rawValue == 1
  }

  /// Whether the marker ends the coded data of a scan; reserved codes are treated as damaged data.
  var endsScan: Bool { rawValue >= 0xC0 && !isRestart && !(0xF0...0xFD).contains(rawValue) }
}

extension JPEGMarker: CustomStringConvertible {
  /// Name in the standard, such as `APP1`; the value in hexadecimal for reserved markers.
  package var description: String {
    switch rawValue {
    case 0xC4: "DHT"
    case 0xC8: "JPG"
    case 0xCC: "DAC"
    case 0xC0...0xCF: "SOF\(rawValue & 0x0F)"
    case 0xD0...0xD7: "RST\(rawValue & 0x07)"
    case 0xD8: "SOI"
    case 0xD9: "EOI"
    case 0xDA: "SOS"
    case 0xDB: "DQT"
    case 0xDC: "DNL"
    case 0xDD: "DRI"
    case 0xDE: "DHP"
    case 0xDF: "EXP"
    case 0xE0...0xEF: "APP\(rawValue & 0x0F)"
    case 0xF0...0xFD: "JPG\(rawValue & 0x0F)"
    case 0xFE: "COM"
    default: "0x" + String(rawValue, radix: 16)
    }
  }
}

/// The frame header: size, bit depth and sampling of an image.
///
/// Source: ITU-T T.81, B.2.2.
package struct JPEGFrame: Hashable, Sendable {
  /// One color component.
  package struct Component: Hashable, Sendable {
    /// Component identifier, as scan headers refer to it.
    package var identifier: UInt8
    /// Horizontal sampling factor, 1...4, relative to the largest one of the frame.
    package var horizontalSampling: Int
    /// Vertical sampling factor, 1...4, relative to the largest one of the frame.
    package var verticalSampling: Int
    /// Index of the quantization table, 0...3.
    package var quantizationTable: UInt8
  }

  /// The coding process: SOF0 is baseline, SOF2 progressive.
  package var marker: JPEGMarker
  /// Bits per sample, as stored: 8, or 12 in extended and progressive processes, 2...16 in lossless
  /// ones.
  package var precision: Int
  /// Columns of the image, 1...65535.
  package var width: Int
  /// Rows of the image, 0...65535; 0 if a DNL segment after the first scan specifies them.
  package var height: Int
  /// The color components, in the order of the frame header; at least 1.
  package var components: [Component]

  init(parsing segment: JPEGSegment) throws(ImageError) {
    let start = (segment.stored?.upperBound ?? segment.payload.count) - segment.payload.count
    var reader = ByteReader(segment.payload.span, fileOffset: start)
    marker = segment.marker
    precision = Int(try reader.readBigEndian(as: UInt8.self))
    height = Int(try reader.readBigEndian(as: UInt16.self))
    width = Int(try reader.readBigEndian(as: UInt16.self))
    let count: UInt8 = try reader.readBigEndian()
    components = []
    for _ in 0..<count {
      let identifier: UInt8 = try reader.readBigEndian()
      let sampling: UInt8 = try reader.readBigEndian()
      components.append(
        Component(
          identifier: identifier, horizontalSampling: Int(sampling >> 4),
          verticalSampling: Int(sampling & 15), quantizationTable: try reader.readBigEndian()))
    }
    let samplings = components.flatMap { [$0.horizontalSampling, $0.verticalSampling] }
    guard width > 0, !components.isEmpty, samplings.allSatisfy({ (1...4).contains($0) }) else {
      throw reader.error(
        .malformed, "invalid frame: {width}x{height} pixels with {components component}",
        ["components": components.count, "width": width, "height": height])
    }
  }
}
