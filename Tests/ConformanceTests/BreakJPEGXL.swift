// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import GainMap
import HDRCore
import TestSupport

@testable import Conformance
@testable import ImageContainers
@testable import ImageFiles

/// A JPEG XL file as a list of boxes.
struct JPEGXLBoxes {
  var boxes: [(type: String, content: [UInt8])]

  /// The header of a 1x1 image with default values.
  static let codestream = hex("FF0A 00A0")

  /// The header of an image of the largest size, 2^30 x 2^30, with default values.
  static let largest = hex("FF0A FEFFFFFF 13")

  /// A file that satisfies all rules: with Exif, XMP and a gain map.
  init() throws {
    boxes = [
      ("JXL ", [0x0D, 0x0A, 0x87, 0x0A]), ("ftyp", Array("jxl \0\0\0\0jxl ".utf8)), ("jxll", [5]),
      ("Exif", [0, 0, 0, 0] + ExifBlock.minimal(orientation: .upright)), ("xml ", XMPPacket.empty),
      ("jxlc", Self.codestream),
      (
        "jhgm",
        try JPEGXLGainMapBox.serialized(
          metadata: ISO21496Payload(GainMapFiles.metadata).serialized,
          colorEncoding: JPEGXLColorEncoding.serialized(
            CICP(primaries: .bt2020, transfer: .pq, matrix: .identity)) ?? [],
          codestream: Self.codestream)
      ),
    ]
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    for box in boxes {
      writer.writeBigEndian(UInt32(8 + box.content.count))
      writer.write(box.type)
      writer.write(box.content)
    }
    return writer.bytes
  }

  mutating func set(_ type: String, _ content: [UInt8]) {
    for index in boxes.indices where boxes[index].type == type { boxes[index].content = content }
  }
}

/// Files that violate rules of JPEG XL.
extension Break {
  static let jpegXL: [Break] = [
    jpegXL(["jpegxl/box-order"]) { $0.boxes.swapAt(2, 3) },
    jpegXL(["jpegxl/box-order"]) { $0.boxes.append(("jbrd", [])) },
    Break(["jpegxl/box-size"], .jpegXL) { Array(try JPEGXLBoxes().bytes.dropLast()) },
    jpegXL(["jpegxl/brand"]) { $0.set("ftyp", Array("heic\0\0\0\0jxl ".utf8)) },
    jpegXL(["jpegxl/codestream-once"]) { $0.boxes.append(("jxlc", JPEGXLBoxes.codestream)) },
    jpegXL(["jpegxl/codestream-once"]) { $0.boxes.append(("jxlp", [0, 0, 0, 0])) },
    jpegXL(["jpegxl/level"]) { $0.set("jxll", [6]) },
    jpegXL(["jpegxl/level"]) { $0.set("jxlc", JPEGXLBoxes.largest) },
    jpegXL(["jpegxl/level"]) {
      $0.set("jxlc", JPEGXLBoxes.largest)
      $0.set("jxll", [10])
    },
    jpegXL(["21496-1/version"]) { $0.boxes[$0.boxes.count - 1].content[3] = 99 },
    jpegXL(["jpegxl/exif"]) { $0.set("Exif", [0, 0, 0, 9]) },
    jpegXL(["jpegxl/xmp"]) { $0.set("xml ", Array("<".utf8)) },
    jpegXL(["jpegxl/orientation"]) {
      $0.set("Exif", [0, 0, 0, 0] + ExifBlock.minimal(orientation: .rotated90))
    },
    jpegXL(["jpegxl/gain-map"]) {
      let index = $0.boxes.count - 1
      $0.boxes[index].content[0] = 1
    },
  ]

  private static func jpegXL(
    _ rules: Set<String>, _ change: @escaping @Sendable (inout JPEGXLBoxes) -> Void
  ) -> Break {
    Break(rules, .jpegXL) {
      var file = try JPEGXLBoxes()
      change(&file)
      return file.bytes
    }
  }
}
#endif
