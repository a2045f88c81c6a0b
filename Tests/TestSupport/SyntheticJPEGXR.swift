// SPDX-License-Identifier: Apache-2.0
import HDRCore

import ImageFiles

/// A JPEG XR file with one directory, whose codestreams are headers without samples.
public struct SyntheticJPEGXR: Sendable {
  public struct Entry: Sendable {
    public var tag: UInt16
    public var type: UInt16
    public var count: UInt32
    /// Little-endian values.
    public var value: [UInt8]
  }

  /// Entries other than the offsets and sizes of codestreams.
  public var entries: [Entry] = []
  public var version: UInt8 = 1
  public var codestream: [UInt8]
  public var alpha: [UInt8]?
  /// Added to the size of the codestream.
  public var excess = 0

  /// Creates a file of 16x16 pixels.
  ///
  /// - Parameters:
  ///   - number: Last byte of the GUID of the pixel format.
  ///   - codestream: The codestream.
  ///   - alpha: The codestream of the alpha plane.
  public init(_ number: UInt8, _ codestream: [UInt8], alpha: [UInt8]? = nil) {
    self.codestream = codestream
    self.alpha = alpha
    setPixelFormat(number)
    set(0xBC80, 16)
    set(0xBC81, 16)
  }

  /// Sets the pixel format whose GUID has this last byte.
  public mutating func setPixelFormat(_ number: UInt8) {
    let guid: [UInt8] = [
      0x24, 0xC3, 0xDD, 0x6F, 0x03, 0x4E, 0xFE, 0x4B, 0xB1, 0x85, 0x3D, 0x77, 0x76, 0x8D, 0xC9,
      number,
    ]
    set(0xBC01, type: 1, guid)
  }

  /// Sets an entry of bytes.
  public mutating func set(_ tag: UInt16, type: UInt16, _ value: [UInt8]) {
    entries.removeAll { $0.tag == tag }
    let size = type == 3 ? 2 : type == 4 || type == 11 ? 4 : 1
    entries.append(
      Entry(tag: tag, type: type, count: UInt32(value.count / size), value: value))
  }

  /// Sets an entry of an integer of 32 bits.
  public mutating func set(_ tag: UInt16, _ value: UInt32) {
    set(tag, type: 4, (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) })
  }

  public mutating func remove(_ tag: UInt16) { entries.removeAll { $0.tag == tag } }

  /// The header of an image of 16x16 pixels.
  ///
  /// - Parameters:
  ///   - color: OUTPUT_CLR_FMT; 7 is RGB.
  ///   - depth: OUTPUT_BITDEPTH; 1 is 8 bits, 4 half float.
  ///   - size: Width and height.
  ///   - hasAlpha: Whether an alpha plane is interleaved.
  /// - Returns: The header, and some bytes.
  public static func header(
    color: UInt8 = 7, depth: UInt8, size: UInt8 = 16, hasAlpha: Bool = false
  ) -> [UInt8] {
    let plane: [UInt8] = color == 0 ? [0, 0x80] : [0x60, 0, 0x80]
    return Array("WMPHOTO\0".utf8)
      + [0x11, 0, hasAlpha ? 0x81 : 0x80, color << 4 | depth, 0, size - 1, 0, size - 1] + plane
      + [UInt8](repeating: 0, count: 8)
  }

  /// The file; entries are sorted by their tags.
  public var bytes: [UInt8] {
    var file = self
    func size(of entry: Entry) -> Int { entry.value.count > 4 ? entry.value.count : 0 }
    let count = entries.count + (alpha == nil ? 2 : 4)
    let values = 8 + 2 + 12 * count + 4
    let data = values + entries.reduce(0) { $0 + size(of: $1) }
    if !entries.contains(where: { $0.tag == 0xBCC0 }) {
      file.set(0xBCC0, UInt32(data))
      file.set(0xBCC1, UInt32(codestream.count + excess))
    }
    if let alpha {
      file.set(0xBCC2, UInt32(data + codestream.count))
      file.set(0xBCC3, UInt32(alpha.count))
    }
    return file.serialized()
  }

  private func serialized() -> [UInt8] {
    var writer = ByteWriter()
    for byte: UInt8 in [0x49, 0x49, 0xBC, version] { writer.writeLittleEndian(byte) }
    writer.writeLittleEndian(8 as UInt32)
    let sorted = entries.sorted { $0.tag < $1.tag }
    writer.writeLittleEndian(UInt16(sorted.count))
    var place = 8 + 2 + 12 * sorted.count + 4
    var values: [UInt8] = []
    for entry in sorted {
      writer.writeLittleEndian(entry.tag)
      writer.writeLittleEndian(entry.type)
      writer.writeLittleEndian(entry.count)
      if entry.value.count <= 4 {
        for index in 0..<4 {
          writer.writeLittleEndian(index < entry.value.count ? entry.value[index] : 0)
        }
      } else {
        writer.writeLittleEndian(UInt32(place))
        place += entry.value.count
        values += entry.value
      }
    }
    writer.writeLittleEndian(0 as UInt32)
    return writer.bytes + values + codestream + (alpha ?? [])
  }
}
