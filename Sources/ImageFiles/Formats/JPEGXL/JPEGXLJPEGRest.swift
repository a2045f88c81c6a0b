// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The rest of a JPEG file whose first image is restored from `jbrd`: the image of its gain map, and the bytes before and after it.
///
/// Its box is this project's. The coefficients of the gain map are those of `jhgm`, so that they are stored once; the box
/// has the other boxes of a JPEG XL file from which its JPEG image is restored.
package struct JPEGXLJPEGRest: Hashable, Sendable {
  package static let boxType: FourCC = "jbgm"

  /// Bytes between the first image and the gain map.
  package let before: [UInt8]
  /// Boxes of the gain map's JPEG XL file, without its codestream.
  package let boxes: [UInt8]
  /// Bytes after the gain map.
  package let after: [UInt8]

  /// - Parameters:
  ///   - before: Bytes between the first image and the gain map.
  ///   - map: The gain map, transcoded to JPEG XL.
  ///   - after: Bytes after the gain map.
  /// - Throws: Errors of reading.
  package init(before: [UInt8], gainMap map: JPEGXLFile, after: [UInt8]) throws(ImageError) {
    (self.before, self.after) = (before, after)
    var boxes: [UInt8] = []
    for (index, box) in map.boxes.enumerated() where !box.isCodestream {
      let next = index + 1
      let end = next < map.boxes.count ? map.boxes[next].offset : map.source.count
      boxes += try map.source.bytes(in: box.offset..<end)
    }
    self.boxes = boxes
  }

  /// Parses the content of a box.
  ///
  /// - Throws: `.truncated` if a length exceeds it; `.unsupportedValue` for another version.
  init(parsing content: SourceBytes) throws(ImageError) {
    let bytes = try content.bytes()
    var reader = ByteReader(bytes.span, fileOffset: content.offset)
    do throws(ImageError) {
      let version: UInt8 = try reader.readBigEndian()
      guard version == 0 else {
        throw reader.error(.unsupportedValue, ["field": "version", "value": version])
      }
      before = try reader.readBytes(Int(try reader.readBigEndian(as: UInt32.self)))
      boxes = try reader.readBytes(Int(try reader.readBigEndian(as: UInt32.self)))
      after = reader.readRest()
    } catch {
      throw error.inside(Self.boxType.description)
    }
  }

  /// The content of the box; `nil` for parts that exceed its fields.
  private var content: [UInt8]? {
    guard let first = UInt32(exactly: before.count), let second = UInt32(exactly: boxes.count)
    else {
      return nil
    }
    var writer = ByteWriter()
    writer.writeBigEndian(UInt8(0))
    writer.writeBigEndian(first)
    writer.write(before)
    writer.writeBigEndian(second)
    writer.write(boxes)
    writer.write(after)
    return writer.bytes
  }

  /// The file with this box; `nil` for parts that exceed its fields.
  ///
  /// - Throws: Errors of writing.
  package func added(to file: JPEGXLFile) throws(ImageError) -> SplicedBytes? {
    guard let content else { return nil }
    var file = file
    file.setBox(Self.boxType, content, followsCodestream: true)
    return try file.spliced()
  }
}

extension JPEGXLFile {
  /// The rest of the JPEG file that the file was made of, and its gain map as a JPEG XL file; `nil` if the box `jbrd` restores
  /// the whole file.
  ///
  /// - Throws: Errors of the boxes.
  package var restOfJPEG: (rest: JPEGXLJPEGRest, gainMap: [UInt8])? {
    get throws(ImageError) {
      guard let box = boxes(JPEGXLJPEGRest.boxType).first,
        let map = boxes(JPEGXLGainMapBox.boxType).first
      else { return nil }
      let rest = try JPEGXLJPEGRest(parsing: box.content)
      let codestream = try gainMapBox(map).codestream.bytes()
      var writer = ByteWriter()
      writer.write(rest.boxes)
      writer.writeBox("jxlc") { $0.write(codestream) }
      return (rest, writer.bytes)
    }
  }
}
