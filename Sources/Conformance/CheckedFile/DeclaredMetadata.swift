// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A value that a file declares, with its location.
struct Declared<Value: Sendable>: Sendable {
  let value: Value
  let location: ImageError.Location

  init(_ value: Value, at location: ImageError.Location) {
    self.value = value
    self.location = location
  }
}

/// An embedded ICC profile.
struct EmbeddedProfile: Sendable {
  let bytes: [UInt8]
  let profile: Result<ICCProfile, ImageError>
  let location: ImageError.Location
  /// Whether it is the profile of the primary image.
  let isOfPrimary: Bool

  init(_ bytes: [UInt8], at location: ImageError.Location, isOfPrimary: Bool) {
    self.bytes = bytes
    self.location = location
    self.isOfPrimary = isOfPrimary
    do throws(ImageError) {
      profile = .success(try ICCProfile(parsing: bytes))
    } catch {
      profile = .failure(error)
    }
  }

  var readable: ICCProfile? { try? profile.get() }
}

/// Color of the primary image, as declared.
struct DeclaredColor: Sendable {
  /// From `nclx` or `cICP`.
  var codePoints: [Declared<CICP>] = []
  /// Profiles of the primary image.
  var profiles: [EmbeddedProfile] = []
  /// Code points of the bitstream, used if the container has none.
  var bitstream: Declared<CICP>?
  /// Bits per component, from all locations that declare them.
  var depths: [Declared<Int>] = []

  /// Effective code points: of the container if specified, otherwise of a profile or the bitstream.
  var effective: Declared<CICP>? {
    let specified = codePoints.first { $0.value.transfer != .unspecified }
    return specified ?? profiles.lazy.compactMap { profile in
      profile.readable?.cicp.map { Declared($0, at: profile.location) }
    }.first ?? bitstream
  }

  var isHighDynamicRange: Bool { effective?.value.isHighDynamicRange ?? false }
}

/// Light metadata, as declared, in the order of the container.
struct DeclaredLight: Sendable {
  struct Mastering: Sendable {
    /// Primaries in the order of the file.
    let primaries: [Chromaticity]
    let white: Chromaticity
    let maximum: Double
    let minimum: Double
    /// Indices of red, green and blue in the order of the container.
    let order: (red: Int, green: Int, blue: Int)
  }

  var level: Declared<LightMetadata.ContentLightLevel>?
  var mastering: Declared<Mastering>?
  var diffuseWhite: Declared<Double>?
  /// Sizes of light metadata boxes with a wrong size, by type.
  var unreadable: [String: Declared<Int>] = [:]
}

/// Collects declared metadata from the parsed container.
struct MetadataFinder {
  let heif: CheckedHEIF?
  let png: CheckedPNG?
  let jpeg: CheckedJPEG?
  /// The declarations for the primary image; `nil` if they cannot be read.
  let declared: DeclaredImage?
  /// The ICC profile that the codec decoded; `nil` if the container stores profiles.
  let decodedProfile: [UInt8]?

  /// - Throws: Errors that end the whole job.
  func profiles() throws(ImageError) -> [EmbeddedProfile] {
    if let heif { return profiles(of: heif) }
    if let png {
      guard let bytes = try ifReadable(try png.file.profile()?.bytes) else { return [] }
      return [EmbeddedProfile(bytes, at: png.location(.profile), isOfPrimary: true)]
    }
    if let jpeg {
      return jpeg.images.enumerated().compactMap { index, image in
        image.profile.map {
          EmbeddedProfile($0, at: jpeg.location(image, .icc), isOfPrimary: index == 0)
        }
      }
    }
    guard let bytes = declared?.color.icc ?? decodedProfile else { return [] }
    return [EmbeddedProfile(bytes, at: .init(path: ["ICC"]), isOfPrimary: true)]
  }

  private func profiles(of heif: CheckedHEIF) -> [EmbeddedProfile] {
    var seen: Set<ItemProperty> = []
    var profiles: [EmbeddedProfile] = []
    let others = heif.file.items.filter { $0.id != heif.file.primaryItemID }
    for item in (heif.primary.map { [$0] } ?? []) + others {
      let isOfPrimary = item.id == heif.file.primaryItemID
      var number = 0
      for property in item.properties where property.type == "colr" {
        defer { number += 1 }
        guard case .colorInformation(let color) = property.box else { continue }
        switch color {
        case .unrestrictedICC(let bytes), .restrictedICC(let bytes):
          guard seen.insert(property.withoutEssentialFlag).inserted else { continue }
          profiles.append(
            EmbeddedProfile(
              bytes, at: heif.location(item, "colr", number: number), isOfPrimary: isOfPrimary))
        case .nclx, .other: continue
        }
      }
    }
    return profiles
  }

  /// - Throws: Errors that end the whole job.
  func color(profiles: [EmbeddedProfile]) throws(ImageError) -> DeclaredColor {
    var color = DeclaredColor(profiles: profiles.filter(\.isOfPrimary))
    if let heif, let primary = heif.primary {
      var number = 0
      for box in primary.all(ColorInformationBox.self) {
        if case .nclx(let cicp) = box.content {
          color.codePoints.append(
            Declared(cicp, at: heif.location(primary, "colr", number: number)))
        }
        number += 1
      }
      // Some cameras declare the color of tiles only.
      if color.codePoints.isEmpty, color.profiles.isEmpty,
        let tile = heif.coded(of: primary).first, let cicp = tile.cicp
      {
        color.codePoints.append(Declared(cicp, at: heif.location(tile, "colr")))
      }
      if color.codePoints.isEmpty, color.profiles.isEmpty,
        let coded = heif.coded(of: primary).first,
        let cicp = (try? heif.bitstream(of: coded.id))?.cicp
      {
        color.bitstream = Declared(cicp, at: heif.location(coded))
      }
      if let pixi = primary.property(PixelInformationBox.self) {
        color.depths += pixi.bitsPerChannel.map {
          Declared(Int($0), at: heif.location(primary, "pixi"))
        }
      }
      for item in heif.coded(of: primary) { color.depths += depths(of: item, in: heif) }
    } else if let png {
      if let chunk = try ifReadable(try png.file.content(PNGCodePoints.self)) {
        color.codePoints.append(Declared(chunk.cicp, at: png.location(.codePoints)))
      } else {
        var notices: [Notice] = []
        if let named = try png.file.codePoints(notices: &notices) {
          color.codePoints.append(Declared(named, at: png.location(.profile)))
        }
      }
      let depth = png.file.header.colorType == .palette ? 8 : png.file.header.bitDepth
      color.depths.append(Declared(depth, at: png.location(.imageHeader)))
      if let bits = try ifReadable(try png.file.content(PNGSignificantBits.self)?.bits) {
        color.depths += bits.map { Declared(Int($0), at: png.location(.significantBits)) }
      }
    } else if let jpeg {
      color.depths.append(
        Declared(jpeg.primary.image.frame.precision, at: jpeg.location(jpeg.primary)))
    } else if let declared {
      if let cicp = declared.color.cicp { color.codePoints.append(Declared(cicp, at: .init())) }
      if case .integer(let bits) = declared.layout.samples {
        color.depths.append(Declared(bits, at: .init()))
      }
    }
    return color
  }

  private func depths(of item: HEIFItem, in heif: CheckedHEIF) -> [Declared<Int>] {
    if let box = item.property(HEVCConfigurationBox.self) {
      let place = heif.location(item, "hvcC")
      return [box.lumaBitDepth, box.chromaBitDepth].map { Declared(Int($0), at: place) }
    }
    if let box = item.property(AV1ConfigurationBox.self) {
      return [Declared(box.bitDepth, at: heif.location(item, "av1C"))]
    }
    return []
  }

  /// - Throws: Errors that end the whole job.
  func light() throws(ImageError) -> DeclaredLight {
    if let heif { return heif.primary.map { self.light(of: $0, in: heif) } ?? DeclaredLight() }
    if let png { return try self.light(of: png) }
    var light = DeclaredLight()
    if let hdr = declared?.light {
      light.level = hdr.contentLightLevel.map { Declared($0, at: .init(path: ["XMP"])) }
      light.diffuseWhite = hdr.diffuseWhite.map { Declared($0, at: .init(path: ["XMP"])) }
    }
    return light
  }

  private func light(of item: HEIFItem, in heif: CheckedHEIF) -> DeclaredLight {
    var light = DeclaredLight()
    if let box = item.property(ContentLightLevelBox.self) {
      light.level = Declared(
        LightMetadata.ContentLightLevel(
          maximum: Double(box.maximum), maximumAverage: Double(box.maximumAverage)),
        at: heif.location(item, "clli"))
    }
    if let box = item.property(NominalDiffuseWhiteBox.self) {
      light.diffuseWhite = Declared(Double(box.luminance) / 10_000, at: heif.location(item, "ndwt"))
    }
    if let box = item.property(MasteringDisplayColorVolumeBox.self) {
      func point(_ point: MasteringDisplayColorVolumeBox.Point) -> Chromaticity {
        Chromaticity(x: Double(point.x) / 50_000, y: Double(point.y) / 50_000)
      }
      light.mastering = Declared(
        DeclaredLight.Mastering(
          primaries: box.primaries.map(point), white: point(box.white),
          maximum: Double(box.maximumLuminance) / 10_000,
          minimum: Double(box.minimumLuminance) / 10_000, order: (red: 2, green: 0, blue: 1)),
        at: heif.location(item, "mdcv"))
    }
    for property in item.properties {
      let name = property.type.description
      // The sizes of ISO/IEC 14496-12 and 23008-12, header included.
      let sizes = ["clli": 12, "mdcv": 32, "amve": 16, "ndwt": 16, "reve": 28]
      guard let size = sizes[name], property.contentBytes.count + 8 != size else { continue }
      light.unreadable[name] = Declared(
        property.contentBytes.count + 8, at: heif.location(item, property.type))
    }
    return light
  }

  private func light(of png: CheckedPNG) throws(ImageError) -> DeclaredLight {
    var light = DeclaredLight()
    if let level = try ifReadable(try png.file.content(PNGContentLightLevel.self)?.level) {
      light.level = Declared(level, at: png.location(.contentLightLevel))
    }
    if let display = try ifReadable(try png.file.content(PNGMasteringDisplay.self)?.display) {
      let primaries = display.primaries
      light.mastering = Declared(
        DeclaredLight.Mastering(
          primaries: [primaries.red, primaries.green, primaries.blue], white: primaries.white,
          maximum: display.maximumLuminance, minimum: display.minimumLuminance,
          order: (red: 0, green: 1, blue: 2)),
        at: png.location(.masteringDisplay))
    }
    var notices: [Notice] = []
    if let white = try png.file.lightMetadata(notices: &notices).diffuseWhite {
      light.diffuseWhite = Declared(white, at: .init(path: ["iTXt", "XMP"]))
    }
    return light
  }
}
