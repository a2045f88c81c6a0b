// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import GainMap
import HDRCore
import ImageCodecs

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Files that violate AVIF and ISO 21496-1.
extension Break {
  static let avif: [Break] = [
    heif(["22028-5/H5-BRAND-1", "avif/brand"], .avif) {
      $0.fileType = FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1", "miaf"])
    },
    heif(["avif/profile-brands"], .avifFullChroma) {
      $0.fileType.compatibleBrands = ["avif", "mif1", "miaf", "MA1B"]
    },
    heif(["avif/av1c-once"], .avif) { file in
      update(&file) { $0.properties.insert($0.properties[0], at: 0) }
    },
    heif(["avif/av1c-essential"], .avif) { file in
      update(&file) { $0.properties[0].isEssential = false }
    },
    configuration(["avif/av1c-sequence"]) { box, _ in box.level = 5 },
    configuration(["avif/av1c-units"]) { box, header in box.configurationOBUs = header },
    data(["avif/one-sequence-header"]) { data, header in data = header + data },
    // still_picture follows the three bits of the profile.
    data(["avif/still-picture"]) { data, _ in data[2] &= 0xEF },
    data(["avif/needless-units"]) { data, _ in data = [0x12, 0] + data },
    data(["avif/metadata-units"]) { data, header in data[header.count + 4] ^= 1 },
  ]

  private static func configuration(
    _ rules: Set<String>,
    _ change: @escaping @Sendable (inout AV1ConfigurationBox, _ header: [UInt8]) -> Void
  ) -> Break {
    heif(rules, .avif) { file in
      let primary = try file.primaryItem
      let data = try file.data(of: primary.id)
      let header = Array(data[..<(try GainMapFiles.sequenceHeaderLength(data))])
      update(&file) { item in
        guard var box = item.property(AV1ConfigurationBox.self) else { return }
        change(&box, header)
        item.setProperty("av1C", to: .av1Configuration(box))
      }
    }
  }

  private static func data(
    _ rules: Set<String>,
    _ change: @escaping @Sendable (inout [UInt8], _ header: [UInt8]) -> Void
  ) -> Break {
    heif(rules, .avif) { file in
      let primary = try file.primaryItem
      var data = try file.data(of: primary.id)
      let header = Array(data[..<(try GainMapFiles.sequenceHeaderLength(data))])
      change(&data, header)
      update(&file) { $0.data = .file(data) }
    }
  }

  static let toneMaps: [Break] = [
    payload(["21496-1/version"]) { $0[0] = 99 },
    payload(["21496-1/metadata"]) { $0 += [0, 0] },
    payload(["21496-1/reserved-bits"]) { $0[5] |= 1 },
    payload(["21496-1/offsets"], GainMapFiles.make(offset: -1)),
    payload(["21496-1/headrooms"], GainMapFiles.make(base: 2)),
    payload(["21496-1/headroom-used"], GainMapFiles.make(alternate: 3)),
    heif(["21496-1/tmap-brand"], .avifGainMap) {
      $0.fileType.compatibleBrands.removeAll { $0 == "tmap" }
    },
    heif(["21496-1/tmap-inputs"], .avifGainMap) { file in
      guard let index = file.references.firstIndex(where: { $0.type == "dimg" }) else { return }
      file.references[index].to.append(1)
    },
    heif(["21496-1/tmap-alternatives"], .avifGainMap) { $0.groups[0].entities.reverse() },
    toneMap(["21496-1/tmap-visible"]) { $0.isHidden = true },
    heif(["21496-1/tmap-base-primary"], .avifGainMap) { file in
      let base = try file.primaryItem
      file.primaryItemID = file.addItem(
        "av01", properties: base.properties.map(\.box), data: base.data)
    },
    gainMap(["21496-1/tmap-map-hidden"]) { $0.isHidden = false },
    toneMap(["21496-1/tmap-extents"]) {
      $0.setProperty("ispe", to: .imageSpatialExtents(.init(width: 72, height: 64)))
    },
    toneMap(["21496-1/tmap-color"]) { $0.setProperty("colr", to: nil) },
    toneMap(["21496-1/tmap-depths"]) { $0.setProperty("pixi", to: nil) },
    gainMap(["21496-1/tmap-map-color"]) {
      $0.setColor(cicp: CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601), icc: nil)
    },
    gainMap(["21496-1/tmap-transformations"]) {
      $0.setProperty("irot", to: .imageRotation(.init(quarterTurns: 1)))
    },
    toneMap(["21496-1/tmap-untransformed"]) {
      $0.setProperty("irot", to: .imageRotation(.init(quarterTurns: 1)))
    },
    // A gain map whose data end after the sequence header.
    heif(["heif/gain-map-samples"], .avifGainMap) { file in
      guard let map = file.items.last(where: { $0.type == "av01" }) else { return }
      let data = try file.data(of: map.id)
      let header = Array(data[..<(try GainMapFiles.sequenceHeaderLength(data))])
      file.updateItem(map.id) { $0.data = .file(header) }
    },
  ]

  private static func toneMap(
    _ rules: Set<String>, _ change: @escaping @Sendable (inout HEIFItem) -> Void
  ) -> Break { heif(rules, .avifGainMap) { file in updateOther(&file, "tmap", change) } }

  private static func gainMap(
    _ rules: Set<String>, _ change: @escaping @Sendable (inout HEIFItem) -> Void
  ) -> Break { heif(rules, .avifGainMap) { file in updateOther(&file, "av01", change) } }

  private static func payload(
    _ rules: Set<String>, _ metadata: GainMapMetadata = GainMapFiles.metadata,
    _ change: @escaping @Sendable (inout [UInt8]) -> Void = { _ in }
  ) -> Break {
    toneMap(rules) { item in
      var bytes = ISO21496Payload(metadata).toneMapItem
      change(&bytes)
      item.data = .itemDataBox(bytes)
    }
  }
}
#endif
