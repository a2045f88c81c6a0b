// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import HDRCore
import ImageCodecs
import TestSupport

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Files that violate HEIF and MIAF.
extension Break {
  static let heif: [Break] = structure + properties + derived + hevc

  private static let structure: [Break] = [
    heif(["22028-5/H5-BRAND-1", "heif/brand-mif1"], .avif) {
      $0.fileType.compatibleBrands.removeAll { $0 == "mif1" }
    },
    heif(["heif/brand-listed"], .avif) {
      $0.fileType.compatibleBrands.removeAll { $0 == "avif" }
    },
    bytes(["heif/handler-first"], .avif) { bytes in
      let boxes = try metaBoxes(of: bytes).compactMap(\.range)
      bytes.replaceSubrange(
        boxes[0].lowerBound..<boxes[1].upperBound, with: bytes[boxes[1]] + bytes[boxes[0]])
    },
    heif(["heif/primary-item", "22028-5/H5-SIG-1"], .avif) { $0.primaryItemID = 99 },
    heif(["heif/primary-visible"], .avif) { file in update(&file) { $0.isHidden = true } },
    bytes(["heif/box-size"], .avif) { $0 += [0, 0, 0, 16] + Array("free".utf8) },
    bytes(["heif/item-data"], .avif) { bytes in
      let box = try metaBoxes(of: bytes).first { $0.name == "iloc" }
      guard let start = box?.range?.lowerBound else { return }
      // Header; version, sizes, count; the first item's ID, reference and extent count; its offset.
      bytes[start + 8 + 8 + 6 + 4] = 0x7F
    },
    heif(["heif/references"], .avif) { $0.addReference("thmb", from: 99, to: [1]) },
    heif(["heif/groups"], .avif) { $0.addGroup("altr", of: [1, 1]) },
    heif(["heif/metadata-described"], .avif) { file in
      file.references.removeAll { $0.type == "cdsc" }
    },
    heif(["heif/exif"], .avif) { file in
      updateOther(&file, "Exif") { $0.data = .file([0, 0, 0, 99, 1, 2, 3]) }
    },
    heif(["heif/xmp"], .avif) { file in
      updateOther(&file, "mime") { $0.data = .file(Array("<rdf".utf8)) }
    },
    heif(["heif/auxiliary-type"], .heic) { file in
      updateOther(&file, "hvc1") { $0.setProperty("auxC", to: nil) }
    },
    heif(["22028-5/H5-BRAND-1", "miaf/brand"], .avif) {
      $0.fileType.compatibleBrands.removeAll { $0 == "miaf" }
    },
    heif(["miaf/alpha-size"], .heic) { file in
      updateOther(&file, "hvc1") { $0.setProperty("clap", to: .cleanAperture(aperture(60, 64))) }
    },
  ]

  private static func metaBoxes(of bytes: [UInt8]) throws -> [StructureNode] {
    try StructureNode.boxes(of: ByteSource(bytes)).first { $0.name == "meta" }?.children ?? []
  }

  private static let properties: [Break] = [
    heif(["heif/property-readable"], .avif) { file in
      let error = ImageError(ErrorCode("test", .truncated, "needs 2 bytes, has 0"))
      updateOther(&file, "Exif") {
        $0.properties.append(ItemProperty(.unreadable("irot", content: [], .init(error))))
      }
    },
    heif(["heif/extents-once"], .avif) { file in
      update(&file) {
        $0.properties.insert(
          ItemProperty(.imageSpatialExtents(.init(width: 70, height: 64))), at: 1)
      }
    },
    heif(["heif/extents"], .avif) { file in
      update(&file) {
        $0.setProperty("ispe", to: .imageSpatialExtents(.init(width: 72, height: 64)))
      }
    },
    heif(["22028-5/H5-BIT-2", "heif/pixel-depths"], .avif) { file in
      update(&file) {
        $0.setProperty("pixi", to: .pixelInformation(.init(bitsPerChannel: [12, 12, 12])))
      }
    },
    heif(["avif/selected-layer"], .avifFullChroma) { file in
      update(&file) { $0.setProperty("lsel", to: .layerSelector(LayerSelectorBox(layerID: 5))) }
    },
    heif(["heif/known-essential"], .avif) { file in
      update(&file) {
        $0.properties.append(
          ItemProperty(.unknown("abcd", userType: nil, content: [1]), isEssential: true))
      }
    },
    heif(["miaf/pixel-information"], .avif) { file in
      update(&file) { $0.setProperty("pixi", to: nil) }
    },
    heif(
      ["miaf/color-information", "22028-5/H5-SIG-1", "22028-5/H5-SIG-4"], .avif
    ) { file in update(&file) { $0.setProperty("colr", to: nil) } },
    heif(["miaf/transformation-order"], .avif) { file in
      update(&file) {
        $0.properties += [
          ItemProperty(.imageMirror(.init(.leftAndRight))),
          ItemProperty(.imageRotation(.init(quarterTurns: 1))),
        ]
      }
    },
    heif(["miaf/transformation-essential"], .avif) { file in
      update(&file) {
        $0.properties.append(
          ItemProperty(.imageRotation(.init(quarterTurns: 1)), isEssential: false))
      }
    },
    heif(["miaf/aperture"], .avif) { file in
      update(&file) { $0.setProperty("clap", to: .cleanAperture(aperture(80, 64))) }
    },
  ]

  private static let derived: [Break] = [
    heif(["heif/grid-inputs"], .avifGrid) { file in
      guard let index = file.references.firstIndex(where: { $0.type == "dimg" }) else { return }
      file.references[index].to.removeLast()
    },
    heif(["heif/grid-tiles"], .avifGrid) { file in
      var output = TestImages.output(.ycbcr(.yuv444))
      output.image = Image(
        TestImages.image(.ycbcr(.yuv444), bits: 10, width: 64, height: 64),
        output.image.color.cicp, light: output.image.light)
      let other = try HEIFFile(parsing: ByteSource(TestImages.encoded(output, .avif)))
      let tile = try other.primaryItem
      let data = try other.data(of: tile.id)
      let last = file.items.last { $0.type == "av01" }
      guard let id = last?.id else { return }
      file.updateItem(id) { item in
        item.setProperty("av1C", to: tile.properties.first { $0.type == "av1C" }?.box)
        item.data = .file(data)
      }
    },
    gridSize(["heif/grid-covered"], width: 200),
    gridSize(["miaf/grid-chroma"], width: 127),
    made(["miaf/grid-tile-size"], .avifGrid) { try GainMapFiles.grid(tileSide: 32) },
  ]

  private static let hevc: [Break] = [
    heif(["heif/hvcc-once"], .heic) { file in
      update(&file) { $0.properties.insert($0.properties[0], at: 0) }
    },
    heif(["heif/hvcc-essential"], .heic) { file in
      update(&file) { $0.properties[0].isEssential = false }
    },
    configuration(["heif/hvcc-parameter-sets"]) { box in
      box.arrays.removeAll { $0.type == .pictureParameterSet }
    },
    configuration(["heif/hvcc-sequence"]) { $0.profileTierLevel.levelIDC = 93 },
    configuration(["heif/hevc-units"]) { $0.nalLengthSize = 1 },
    heif(["heif/hevc-units"], .heic) { file in
      let primary = try file.primaryItem
      let data = try file.data(of: primary.id)
      update(&file) { $0.data = .file(Array(data.dropLast())) }
    },
  ]

  private static func configuration(
    _ rules: Set<String>, _ change: @escaping @Sendable (inout HEVCConfigurationBox) -> Void
  ) -> Break {
    heif(rules, .heic) { file in
      update(&file) { item in
        guard var box = item.property(HEVCConfigurationBox.self) else { return }
        change(&box)
        item.setProperty("hvcC", to: .hevcConfiguration(box))
      }
    }
  }

  private static func gridSize(_ rules: Set<String>, width: UInt32) -> Break {
    heif(rules, .avifGrid) { file in
      update(&file) {
        $0.setProperty("ispe", to: .imageSpatialExtents(.init(width: width, height: 64)))
        $0.data = .itemDataBox(ImageGrid(rows: 1, columns: 2, width: width, height: 64).bytes)
      }
    }
  }

  /// A centered aperture.
  private static func aperture(_ width: UInt32, _ height: UInt32) -> CleanApertureBox {
    CleanApertureBox(
      width: .init(width), height: .init(height), horizontalOffset: .init(0),
      verticalOffset: .init(0))
  }
}
#endif
