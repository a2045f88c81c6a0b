// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The headroom of an Apple gain map, which many files store only in the maker note of the baseline
// image. An edit that changes or removes the note moves it into the XMP of the gain map.

extension JPEGFile {
  /// Writes the headroom of a former maker note into the XMP of Apple gain maps.
  ///
  /// - Parameter note: The note before the edit; `nil` if there was none.
  /// - Returns: A notice if a headroom was written.
  /// - Throws: `.malformed` for XMP that cannot be edited.
  mutating func keepAppleHeadroom(of note: AppleMakerNote?) throws(ImageError) -> [Notice] {
    guard let headroom = note?.headroom, try AppleMakerNote(of: self) != note else { return [] }
    var notices: [Notice] = []
    for index in images.indices.dropFirst() {
      var image = images[index]
      guard let packet = try image.readableXMP(), AppleGainMapXMP.lacksHeadroom(packet) else {
        continue
      }
      try image.editXMP { packet throws(ImageError) in
        try AppleGainMapXMP.write(headroom, into: &packet)
      }
      replaceImage(index, with: image)
      notices = [Notice(.gainMapHeadroomMoved, ["headroom": headroom.ratio])]
    }
    return notices
  }
}

extension HEIFFile {
  /// Writes the headroom of a former maker note into the XMP of Apple gain maps; see `JPEGFile`.
  mutating func keepAppleHeadroom(of note: AppleMakerNote?) throws(ImageError) -> [Notice] {
    guard let headroom = note?.headroom, try AppleMakerNote(of: self) != note else { return [] }
    var notices: [Notice] = []
    for item in items {
      guard let type = item.property(AuxiliaryTypeBox.self)?.auxiliaryType,
        GainMapAuxiliary(auxiliaryType: type) == .apple
      else { continue }
      if let xmp = xmpItems(describing: item.id).first,
        let packet = try ifReadable(try XMPPacket(parsing: try data(of: xmp.id))),
        let apple = AppleGainMapXMP(packet), apple.hasHeadroom
      {
        continue
      }
      try editXMP(describing: item.id) { packet throws(ImageError) in
        try AppleGainMapXMP.write(headroom, into: &packet)
      }
      notices = [Notice(.gainMapHeadroomMoved, ["headroom": headroom.ratio])]
    }
    return notices
  }
}

extension AppleGainMapXMP {
  fileprivate var hasHeadroom: Bool { headroom.map { $0 >= 1 } ?? false }

  /// Whether a packet is that of an Apple gain map without a headroom.
  fileprivate static func lacksHeadroom(_ packet: XMPPacket) -> Bool {
    AppleGainMapXMP(packet).map { !$0.hasHeadroom } ?? false
  }
}
