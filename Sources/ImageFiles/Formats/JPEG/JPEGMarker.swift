// SPDX-License-Identifier: Apache-2.0
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
