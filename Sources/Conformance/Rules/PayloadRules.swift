// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Rules of the binary metadata of ISO 21496-1.
enum PayloadRules {
  private static let syntax = "ISO 21496-1, annex C.2.2"

  static let all: [Rule] = [
    rule(
      "version", .must, syntax, "Readers of version 0 can read the metadata",
      effect: "readers ignore the gain map", version),
    rule(
      "metadata", .must, syntax, "The metadata are valid and complete",
      effect: "readers ignore the gain map; libavif rejects the file",
      except: "bytes that follow the metadata, outside of HEIF", metadata),
    rule(
      "reserved-bits", .must, syntax, "Reserved bits are 0",
      effect: "libultrahdr expects another layout", except: "bits other than 2 and 3",
      reservedBits),
    rule(
      "offsets", .ours, syntax, "No offset is negative", effect: "libultrahdr rejects it", offsets),
    rule(
      "headrooms", .ours, "ISO 21496-1, clause 6", "Baseline and alternate headroom differ",
      effect: "libultrahdr rejects the map; others never apply it", headrooms),
    rule(
      "headroom-used", .ours, "displays of lower headroom get too little gain",
      "The larger headroom does not exceed the largest gain", headroomUsed),
  ]

  /// Metadata of a gain map in the file.
  struct Payload {
    let bytes: [UInt8]
    /// Whether a version byte precedes the metadata.
    let isItem: Bool
    let location: ImageError.Location

    /// - Throws: Errors of the metadata.
    func parsed() throws(ImageError) -> GainMapMetadata {
      var notices: [Notice] = []
      return try parsed(&notices)
    }

    fileprivate func parsed(_ notices: inout [Notice]) throws(ImageError) -> GainMapMetadata {
      isItem
        ? try ISO21496Payload(parsingToneMapItem: bytes, notices: &notices).metadata
        : try ISO21496Payload(parsing: bytes, notices: &notices).metadata
    }
  }

  static func payloads(of checked: CheckedFile) throws(ImageError) -> [Payload] {
    var payloads: [Payload] = []
    if let heif = checked.heif {
      for item in heif.toneMaps {
        payloads.append(
          Payload(
            bytes: try heif.file.data(of: item.id), isItem: true, location: heif.location(item)))
      }
    }
    for image in checked.jpeg?.images ?? [] {
      guard let payload = image.isoPayload, let jpeg = checked.jpeg else { continue }
      payloads.append(
        Payload(bytes: payload, isItem: false, location: jpeg.location(image, .isoGainMap)))
    }
    for box in checked.jpegXL?.boxes(JPEGXLGainMapBox.boxType) ?? [] {
      guard let map = try ifReadable(try checked.jpegXL?.gainMapBox(box)) else { continue }
      payloads.append(
        Payload(
          bytes: map.metadata, isItem: false,
          location: .init(path: ["jhgm"], offset: box.offset)))
    }
    if let png = checked.png {
      let map = try ifReadable(try png.file.gainMapImage())
      for (file, path) in [(map, ["gdAT", "gmAP"]), (png.file, ["gmAP"])] {
        guard let bytes = try file?.gainMapPayload else { continue }
        payloads.append(Payload(bytes: bytes, isItem: false, location: .init(path: path)))
      }
    }
    return payloads
  }

  private static func rule(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil, _ check: @escaping @Sendable (Payload) -> Finding?
  ) -> Rule {
    Rule("21496-1/\(id)", .iso21496, level, source, title, effect: effect, except: exception) {
      (checked) throws(ImageError) -> [Finding]? in
      let payloads = try payloads(of: checked)
      return payloads.isEmpty ? nil : payloads.compactMap(check)
    }
  }

  private static func error(of payload: Payload) -> ImageError? {
    var notices: [Notice] = []
    return error(of: payload, &notices)
  }

  private static func error(of payload: Payload, _ notices: inout [Notice]) -> ImageError? {
    do throws(ImageError) {
      _ = try payload.parsed(&notices)
      return nil
    } catch {
      return error
    }
  }

  private static func version(_ payload: Payload) -> Finding? {
    guard let error = error(of: payload), error.category == .unsupported else { return nil }
    return Finding(error.message, at: payload.location)
  }

  private static func metadata(_ payload: Payload) -> Finding? {
    var notices: [Notice] = []
    guard let error = error(of: payload, &notices) else {
      let trailing = notices.first { $0.code.id == NoticeCode.gainMapTrailingBytesIgnored.id }
      return trailing.map { Finding($0.message, at: payload.location, isHarmless: true) }
    }
    return error.category == .unsupported ? nil : Finding(error.message, at: payload.location)
  }

  private static func reservedBits(_ payload: Payload) -> Finding? {
    let flags = payload.bytes.dropFirst(payload.isItem ? 5 : 4).first ?? 0
    guard flags & 0x3F != 0 else { return nil }
    // Bits 2 and 3 had a meaning in drafts.
    return Finding("flags are \(flags)", at: payload.location, isHarmless: flags & 0x0C == 0)
  }

  private static func offsets(_ payload: Payload) -> Finding? {
    guard let metadata = try? payload.parsed() else { return nil }
    let offsets = metadata.channels.all.flatMap {
      [$0.baseOffset.value, $0.alternateOffset.value]
    }
    guard let least = offsets.min(), least < 0 else { return nil }
    return Finding("offset \(least)", at: payload.location)
  }

  private static func headrooms(_ payload: Payload) -> Finding? {
    guard let metadata = try? payload.parsed(), metadata.isIdentity else { return nil }
    return Finding(
      "both are \(metadata.baseHeadroom.value.formattedShort) stops", at: payload.location)
  }

  private static func headroomUsed(_ payload: Payload) -> Finding? {
    guard let metadata = try? payload.parsed(), !metadata.isIdentity else { return nil }
    let headroom = max(metadata.baseHeadroom.value, metadata.alternateHeadroom.value)
    let gain = metadata.largestGain
    guard headroom > gain + 0.1 else { return nil }
    return Finding(
      "headroom exceeds gain", at: payload.location,
      declared: "\(headroom.formattedShort) stops", measured: "\(gain.formattedShort) stops")
  }
}

/// The rule of the samples of a gain map, which are decoded.
enum GainMapSampleRules {
  static let all: [Rule] = [
    rule("heif", .heif) { $0.heif != nil }, rule("jpeg", .jpeg) { $0.jpeg != nil },
    rule("png", .png) { $0.png != nil }, rule("jpegxl", .jpegXL) { $0.jpegXL != nil },
  ]

  private static func rule(
    _ prefix: String, _ standard: Standard,
    _ concerns: @escaping @Sendable (CheckedFile) -> Bool
  ) -> Rule {
    Rule(
      "\(prefix)/gain-map-samples", standard, .ours, "the gain map cannot be applied",
      "The samples of the gain map can be decoded", effect: "readers show the baseline image"
    ) { (checked) throws(ImageError) -> [Finding]? in
      guard concerns(checked), let map = try ifReadable(try checked.file.gainMaps())?.applicable
      else {
        return nil
      }
      // Without the codec, nothing is known.
      if case .failure(let error) = checked.opened,
        error.category == .missingCodec || ![.heif, .jpegXL].contains(standard)
      {
        throw error
      }
      guard let defect = try checked.file.gainMapDefect else { return [] }
      if [.heif, .jpegXL].contains(standard) {
        // Other readers may support what this one does not.
        guard defect.category != .unsupported, try checked.baselineIsDecodable else { return nil }
      }
      return [Finding(defect.message, at: .init(path: [map.location.name]), fix: .dropGainMap)]
    }
  }
}

extension CheckedFile {
  /// Whether the samples of the baseline image can be decoded; without them, a gain map does not matter.
  ///
  /// - Throws: Errors that end the whole job.
  fileprivate var baselineIsDecodable: Bool {
    get throws(ImageError) {
      do throws(ImageError) {
        _ = try measuredLight()
        return true
      } catch {
        guard !error.endsJob else { throw error }
        return false
      }
    }
  }
}
