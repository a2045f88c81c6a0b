// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Rules of JPEG files with a gain map: Ultra HDR and ISO 21496-1.
enum UltraHDRRules {
  private static let text = "Ultra HDR Image Format v1.0"

  private static let ignored = "readers ignore the gain map"
  private static let rejected = "libultrahdr rejects the file"

  static let all: [Rule] = [
    .inUltraHDR(
      "map-there", .must, text, "The declared gain map is present",
      effect: "readers show the SDR image", mapPresent),
    JPEGRules.jpeg(
      "mpf", of: "uhdr", .must, "\(text), MPF", "MPF has an entry for the gain map",
      effect: "readers do not find the gain map", except: "if the container directory has it", mpf),
    .inUltraHDR(
      "directory", .must, "\(text), GContainer",
      "With XMP, the container directory has one gain map",
      effect: "readers do not find the gain map", except: "if MPF has it", directory),
    .inUltraHDR(
      "primary-version", .must, text, "With XMP, the primary image has hdrgm:Version 1.0",
      effect: "Skia and libavif ignore the gain map",
      except: "if it has the version of ISO 21496-1",
      primaryVersion),
    .inUltraHDR(
      "map-version", .must, text, "The XMP of the gain map has hdrgm:Version 1.0",
      effect: ignored, mapVersion),
    .inUltraHDR(
      "numbers", .must, text, "The XMP of the gain map has all required numbers, in their ranges",
      effect: ignored, numbers),
    .inUltraHDR(
      "base-rendition", .must, text, "The baseline image is SDR", effect: rejected, baseRendition),
    .inUltraHDR(
      "map-samples", .must, text, "The gain map has one or three components of 8 bits",
      effect: ignored, mapSamples),
    .inUltraHDR(
      "primary-profile", .should, text, "The primary image has an ICC profile", primaryProfile),
    .inUltraHDR(
      "iso-agrees", .ours, "libultrahdr; Skia; libavif",
      "XMP and ISO 21496-1 describe the same gain map", effect: "readers differ in which they use",
      isoAgrees),
    .inUltraHDR(
      "iso-version", .ours, "ISO 21496-1, annex C.4",
      "With ISO 21496-1 in the gain map, the primary image has its version",
      effect: "Skia ignores the metadata of ISO 21496-1", except: "if it has that of XMP",
      isoVersion),
    .inUltraHDR(
      "iso-alternate-color", .ours, "ISO 21496-1, annex C",
      "A gain map that is applied in other primaries has a profile", effect: rejected,
      alternateColor),
  ]

  private static func mapPresent(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard jpeg.gainMap == nil else { return [] }
    // A gain map in a file of its own declares no other one.
    guard !jpeg.primary.isGainMap else { return nil }
    return [
      Finding(
        "no gain map follows",
        at: jpeg.location(jpeg.primary, jpeg.primary.hdrgm == nil ? .isoGainMap : .xmp),
        fix: .correctStructure)
    ]
  }

  private static func mpf(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard let map = jpeg.gainMap else {
      return jpeg.appleMapIsListed.map { isListed in
        isListed
          ? []
          : [
            Finding(
              "no entry for the Apple gain map", at: jpeg.location(jpeg.primary, .multiPicture),
              fix: .correctStructure)
          ]
      }
    }
    guard !jpeg.directories.isInMPF else { return [] }
    let isMissing = jpeg.primary.image.segments(.multiPicture).isEmpty
    return [
      Finding(
        isMissing ? "no MPF" : "no entry for the gain map at \(map.range.lowerBound)",
        at: jpeg.location(jpeg.primary, .multiPicture), fix: .correctStructure,
        isHarmless: jpeg.directories.isInContainer)
    ]
  }

  /// Whether the gain map has XMP, so that rules of XMP apply.
  private static func hasXMP(_ jpeg: CheckedJPEG) -> Bool { jpeg.gainMap?.hdrgm != nil }

  private static func directory(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard hasXMP(jpeg) else { return nil }
    let count = jpeg.items.count { $0.semantic == "GainMap" }
    guard count != 1 else { return [] }
    return [
      Finding(
        count == 0
          ? "the container directory does not list the gain map"
          : "the container directory lists \(count) gain maps",
        at: jpeg.location(jpeg.primary, .xmp),
        isHarmless: jpeg.directories.isInMPF)
    ]
  }

  private static func primaryVersion(_ jpeg: CheckedJPEG) -> [Finding]? {
    hasXMP(jpeg)
      ? version(of: jpeg.primary, in: jpeg, isHarmless: jpeg.isAnnounced(by: .iso)) : nil
  }

  private static func mapVersion(_ jpeg: CheckedJPEG) -> [Finding]? {
    jpeg.gainMap.flatMap { $0.hdrgm == nil ? nil : version(of: $0, in: jpeg) }
  }

  private static func version(
    of image: CheckedJPEG.Image, in jpeg: CheckedJPEG, isHarmless: Bool = false
  ) -> [Finding] {
    let version = image.hdrgm?.version
    return version == "1.0"
      ? []
      : [
        Finding(
          version == nil ? "no version" : "unsupported version", at: jpeg.location(image, .xmp),
          declared: version, isHarmless: isHarmless)
      ]
  }

  private static func numbers(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard let map = jpeg.gainMap, let hdrgm = map.hdrgm else { return nil }
    let place = jpeg.location(map, .xmp)
    do throws(ImageError) {
      let metadata = try hdrgm.metadata()
      let offsets = metadata.channels.all.flatMap {
        [$0.baseOffset.value, $0.alternateOffset.value]
      }
      if let least = offsets.min(), least < 0 { return [Finding("negative offset", at: place)] }
      return metadata.isIdentity
        ? [Finding("HDRCapacityMax is not above HDRCapacityMin", at: place)] : []
    } catch {
      // The version has a rule of its own.
      return error.category == .unsupported ? nil : [Finding(error.message, at: place)]
    }
  }

  private static func baseRendition(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard let map = jpeg.gainMap, let hdrgm = map.hdrgm else { return nil }
    let value = hdrgm.isBaseHDR ?? "False"
    return value == "False"
      ? []
      : [Finding("BaseRenditionIsHDR is \(value)", at: jpeg.location(map, .xmp))]
  }

  private static func mapSamples(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard let map = jpeg.gainMap else { return nil }
    let frame = map.image.frame
    let isRight = frame.precision == 8 && [1, 3].contains(frame.components.count)
    return isRight
      ? []
      : [
        Finding(
          "\(frame.components.count) components of \(frame.precision) bits",
          at: jpeg.location(map))
      ]
  }

  private static func primaryProfile(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard jpeg.gainMap != nil else { return nil }
    return jpeg.primary.profile == nil
      ? [Finding("no profile", at: jpeg.location(jpeg.primary))] : []
  }

  private static func isoAgrees(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard let map = jpeg.gainMap, let payload = map.isoPayload, let hdrgm = map.hdrgm else {
      return nil
    }
    var notices: [Notice] = []
    let iso = try ISO21496Payload(parsing: payload, notices: &notices).metadata
    return iso.disagreements(with: try hdrgm.metadata()).map {
      Finding($0, at: jpeg.location(map, .isoGainMap))
    }
  }

  private static func isoVersion(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard jpeg.gainMap?.isoPayload != nil else { return nil }
    if jpeg.primary.hasISOVersion, let segment = jpeg.primary.image.isoGainMap {
      let extra = segment.count - ISO21496Payload.versionOnly.count
      guard extra > 0 else { return [] }
      return [
        Finding(
          "\(extra) bytes after the version", at: jpeg.location(jpeg.primary, .isoGainMap),
          isHarmless: true)
      ]
    }
    return jpeg.primary.isoPayload.map(ISO21496Payload.isSupported) ?? false
      ? []
      : [
        Finding(
          "no version", at: jpeg.location(jpeg.primary), isHarmless: jpeg.isAnnounced(by: .xmp))
      ]
  }

  private static func alternateColor(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard let map = jpeg.gainMap, let payload = map.isoPayload else { return nil }
    var notices: [Notice] = []
    let iso = try ISO21496Payload(parsing: payload, notices: &notices).metadata
    guard !iso.usesBaseColorSpace else { return [] }
    return map.profile == nil
      ? [Finding("no profile for them", at: jpeg.location(map))] : []
  }
}

extension Rule {
  /// A rule of JPEG files that declare a gain map.
  fileprivate static func inUltraHDR(
    _ id: String, _ level: Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil,
    _ check: @escaping @Sendable (CheckedJPEG) throws(ImageError) -> [Finding]?
  ) -> Rule {
    Rule("uhdr/\(id)", .jpeg, level, source, title, effect: effect, except: exception) {
      (checked) throws(ImageError) -> [Finding]? in
      guard let jpeg = checked.jpeg, jpeg.declaresGainMap else { return nil }
      return try check(jpeg)
    }
  }
}
