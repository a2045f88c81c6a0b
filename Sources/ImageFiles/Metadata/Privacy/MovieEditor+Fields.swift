// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The fields of structural boxes, and what may follow or accompany them.
extension MovieEditor {
  /// The end of the fields of a header or a table; `nil` for boxes of another structure.
  ///
  /// Source: ISO/IEC 14496-12, 8.2 to 8.8 and 12; QuickTime File Format for `gmin`.
  func endOfFields(of box: Box) -> Int? {
    let start = box.content.lowerBound
    let isWide = number(at: start, 1) == 1
    let header: Int? =
      switch box.type {
      case "mvhd": isWide ? 112 : 100
      case "tkhd": isWide ? 96 : 84
      case "mdhd": isWide ? 36 : 24
      case "vmhd": 12
      case "smhd", "mfhd": 8
      case "nmhd", "sthd": 4
      case "hmhd": 20
      case "gmin": 16
      case "trex": 24
      case "mehd", "tfdt": isWide ? 12 : 8
      default: nil
      }
    if let header { return min(start + header, box.content.upperBound) }
    let size: Int? =
      switch box.type {
      case "elst": isWide ? 20 : 12
      case "stts", "ctts", "co64": 8
      case "stss", "stps", "stco": 4
      case "stsc": 12
      case "stsz": number(at: start + 4, 4) == 0 ? 4 : 0
      default: nil
      }
    let head = box.type == "stsz" ? 12 : 8
    guard let size, let count = number(at: start + head - 4, 4) else { return nil }
    let (length, isTooLong) = size.multipliedReportingOverflow(by: Int(count))
    guard !isTooLong, length <= box.content.count - head else { return nil }
    return start + head + length
  }

  /// Whether an optional box may be needed: it describes the samples, and contains only that.
  ///
  /// Source: ISO/IEC 14496-12, 8.6 and 10; ISO/IEC 14496-15; ISO/IEC 23008-12; AV1 in ISOBMFF.
  func isNeeded(_ box: Box) -> Bool {
    let start = box.content.lowerBound
    switch box.type {
    case "sdtp": return true
    case "cslg": return box.content.count == (number(at: start, 1) == 0 ? 24 : 44)
    case "clef", "prof", "enof": return box.content.count == 12
    case "sgpd", "sbgp":
      let type = number(at: start + 4, 4).map { FourCC(rawValue: UInt32(truncatingIfNeeded: $0)) }
      return type.map(Self.groupings.contains) ?? false
    default: return false
    }
  }

  private static let groupings: Set<FourCC> = [
    "roll", "prol", "rap ", "sync", "tsas", "stsa", "tele", "trif", "refs", "eqiv", "av1f", "av1s",
    "seig",
  ]

  /// Removes from sample descriptions what decoders do not need, or what contains a location.
  ///
  /// Source: ISO/IEC 14496-12, 12.1.3 and 12.2.3; QuickTime File Format, sound sample descriptions.
  mutating func editSampleDescriptions(
    _ content: Range<Int>, of handler: FourCC?
  ) throws(ImageError) {
    guard content.count > 8 else { return }
    let (entries, rest) = boxes(in: content.dropFirst(8))
    try editSurplus(rest, of: "stsd")
    for entry in entries {
      let fields: Int
      switch handler {
      case "vide", "pict", "auxv":
        fields = 78
        // The name of the encoder.
        let name = entry.content.dropFirst(42).prefix(32)
        if removal == .all, entry.content.count >= 78 { erase(name) }
      case "soun" where number(at: content.lowerBound, 1) == 0:
        switch number(at: entry.content.lowerBound + 8, 2) {
        case 1: fields = 44
        case 2: fields = 64
        default: fields = 28
        }
      case "soun": fields = 28
      default:
        // The index of the place of the data remains.
        if removal == .all {
          erase(entry.content.dropFirst(8))
        } else if try LocationEvidence.isPresent(in: Array(bytes[entry.content])) {
          unread.append("'\(entry.type)'")
        }
        continue
      }
      let (parts, rest) = boxes(in: entry.content.dropFirst(fields))
      for part in parts { try editPart(part) }
      try editSurplus(rest, of: entry.type)
    }
  }

  private mutating func editPart(_ part: Box) throws(ImageError) {
    switch part.type {
    case "auxi":
      let text = part.content.dropFirst(4)
      let end = text.firstIndex { bytes[$0] == 0 }.map { $0 + 1 } ?? text.upperBound
      try editSurplus(end..<part.content.upperBound, of: part.type)
    case _ where Self.parts.contains(part.type):
      if try LocationEvidence.isPresent(in: Array(bytes[part.content])) {
        unread.append("'\(part.type)'")
      }
    case _ where removal == .all: remove(part)
    default: try examine(part)
    }
  }

  /// Configurations of codecs, and the properties of images and sound that are to be shown or heard.
  private static let parts = HEIFItem.lightTypes.union([
    "av1C", "hvcC", "lhvC", "hvcE", "avcC", "avcE", "svcC", "mvcC", "vvcC", "evcC", "vpcC", "jpgC",
    "uncC", "cmpd", "dvcC", "dvvC", "dvwC", "d263", "glbl", "esds", "colr", "pasp", "clap", "fiel",
    "gama", "ccst", "btrt", "SmDm", "CoLL", "alac",
    "dOps", "dfLa", "dac3", "dec3", "dac4", "damr", "wave", "chan", "chnl", "srat", "pcmC", "vexu",
    "hfov", "sinf",
  ])
}

extension Range<Int> {
  /// The range without its first numbers; empty if it is shorter.
  fileprivate func dropFirst(_ count: Int) -> Range<Int> {
    Swift.min(lowerBound + count, upperBound)..<upperBound
  }

  fileprivate func prefix(_ count: Int) -> Range<Int> {
    lowerBound..<Swift.min(lowerBound + count, upperBound)
  }
}
