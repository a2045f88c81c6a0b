// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// Parameters of a DNG file for its development, parsed and validated.
struct DevelopmentParameters: Sendable {
  let layout: RawLayout
  let levels: RawLevels
  /// `nil` for images without a mosaic.
  let bayer: ColorFilterArray.Bayer?
  /// Area that the opcodes of list 2 leave of the active area, and those of list 3 leave of that.
  let bounds: (mosaic: RawArea, image: RawArea)
  /// The crop within the area that all opcodes leave.
  let crop: RawArea
  /// Width and height of a photosite in square pixels.
  let pixelScale: SIMD2<Double>
  let orientation: Orientation
  let profiles: DNGProfiles
  /// `nil` for gray images.
  let asShot: AsShotWhite?
  /// Exposure correction of the camera in stops, without the offset of a profile.
  let baselineExposure: Double
  /// Sharpening relative to a reference camera.
  let baselineSharpness: Double
  /// Noise relative to a reference camera.
  let baselineNoise: Double
  /// Share of the noise that the camera removed; `nil` if unknown.
  let noiseReductionApplied: Double?
  /// Scale of the black that is subtracted from shadows.
  let shadowScale: Double
  /// Signal-dependent and constant noise variance, for each plane or for all planes; empty if
  /// unspecified.
  let noiseProfile: [Double]
  /// ISO sensitivity; `nil` if unspecified.
  let sensitivity: Double?
  /// The three opcode lists.
  let opcodes: [OpcodeList]
  private(set) var notices: [Notice]

  init(
    _ dng: DNGFile, limits: ImageLimits, salvages: Bool = false, appliesUserCrop: Bool = true
  ) throws(ImageError) {
    notices = dng.notices
    layout = try RawLayout(
      of: dng.raw, version: dng.version, limits: limits, salvages: salvages)
    let directory = dng.raw.directory
    var lists: [OpcodeList] = []
    for list in 1...3 { lists.append(try OpcodeList(directory, list: list)) }
    let stored = try lists[0].bounds(of: (layout.width, layout.height), list: 1, directory)
    levels = try RawLevels(of: dng.raw, layout, size: (stored.width, stored.height))
    notices += levels.notices
    let active = levels.activeArea
    let mosaic = try lists[1].bounds(of: (active.width, active.height), list: 2, directory)
    let image = try lists[2].bounds(of: (mosaic.width, mosaic.height), list: 3, directory)
    bounds = (mosaic, image)
    lists[2].removeImpossibleWarps(of: (mosaic.width, mosaic.height))
    opcodes = lists
    // The phase depends on the origin of the trimmed mosaic.
    bayer = try Self.bayer(dng)?.shifted(by: SIMD2(mosaic.x, mosaic.y))
    let whole = try Self.crop(directory, within: image, &notices)
    crop = appliesUserCrop ? try Self.userCrop(directory, of: whole, &notices) : whole
    pixelScale = try Self.pixelScale(directory, crop, limits: limits, &notices)
    orientation =
      try dng.main.optionalInteger(.orientation, &notices).flatMap(Orientation.init(rawValue:))
      ?? .upright
    let isGray = layout.planes == 1 && bayer == nil
    asShot = isGray ? nil : try AsShotWhite(dng.main, &notices)
    profiles = try DNGProfiles(dng, white: asShot, &notices)
    notices += lists.flatMap(\.notices)
    baselineExposure = try dng.main.stops(.baselineExposure, &notices)
    baselineSharpness = try Self.factor(dng.main, .baselineSharpness, &notices)
    baselineNoise = try Self.factor(dng.main, .baselineNoise, &notices)
    // 0/0 means unknown. Source: DNG 1.7.1, NoiseReductionApplied.
    var unknown: [Notice] = []
    noiseReductionApplied =
      try dng.main.optionalNumbers(.noiseReductionApplied, atMost: 1, &unknown)?.first
      .flatMap { (0...1).contains($0) ? $0 : nil }
    shadowScale = try Self.factor(dng.main, .shadowScale, &notices)
    let ownNoise = try dng.raw.directory.optionalNumbers(.noiseProfile, atMost: 8, &notices)
    let mainNoise =
      dng.raw.directory.path == dng.main.path
      ? nil : try dng.main.optionalNumbers(.noiseProfile, atMost: 8, &notices)
    noiseProfile = ownNoise ?? mainNoise ?? []
    sensitivity = try dng.sensitivity
    rawKeepsBlack = try dng.raw.directory.optionalInteger(.defaultBlackRender, &notices) == 1
    isOutputReferred = try dng.main.optionalInteger(.colorimetricReference, &notices) ?? 0 != 0
  }

  /// Some cameras store DefaultBlackRender with the raw image instead of the profile.
  private let rawKeepsBlack: Bool
  private let isOutputReferred: Bool

  /// The share of white that a profile subtracts from shadows.
  ///
  /// Source: DNG 1.7.1, DefaultBlackRender and ShadowScale; Adobe DNG SDK for the share.
  func shadows(of profile: RenderingProfile) -> Double {
    profile.keepsBlack ?? rawKeepsBlack || isOutputReferred ? 0 : 0.005 * shadowScale
  }

  /// Origin of the area that all opcodes leave, in the active area.
  var boundsOrigin: SIMD2<Int> {
    SIMD2(bounds.mosaic.x + bounds.image.x, bounds.mosaic.y + bounds.image.y)
  }

  private static func bayer(_ dng: DNGFile) throws(ImageError) -> ColorFilterArray.Bayer? {
    guard dng.raw.photometric == .colorFilterArray else { return nil }
    let directory = dng.raw.directory
    let filters = try ColorFilterArray(directory)
    guard let bayer = filters.bayer else {
      throw directory.error(
        .unsupported, "mosaic of {filters}, not of red, green and blue in two by two (Bayer)",
        .cfaPattern, ["filters": filters.summary])
    }
    return bayer
  }

  /// The default crop within the area; the whole area, with a notice, for an impossible one.
  ///
  /// Source: DNG 1.7.1, DefaultCropOrigin and DefaultCropSize.
  private static func crop(
    _ directory: DNGDirectory, within area: RawArea, _ notices: inout [Notice]
  ) throws(ImageError) -> RawArea {
    func pair(_ tag: TIFFTag, from least: Double) throws(ImageError) -> [Int]? {
      try directory.optionalNumbers(tag, atMost: 2, &notices) {
        $0.count == 2 && $0.allSatisfy { (least...Double(Int32.max)).contains($0) }
      }?.map { Int(clamping: $0.rounded()) }
    }
    let origin = try pair(.defaultCropOrigin, from: 0) ?? [0, 0]
    let size = try pair(.defaultCropSize, from: 1) ?? [area.width, area.height]
    let (x, y) = (origin[0], origin[1])
    guard x < area.width, y < area.height else {
      let error = directory.error(
        .malformed, "crop of {size} at {origin} in an area of {area}",
        .defaultCropOrigin,
        ["size": "\(size)", "origin": "\(origin)", "area": .size(area.width, area.height)])
      notices.append(Notice(.rawLookUnreadable, ["cause": error], at: error.location))
      return RawArea(x: 0, y: 0, width: area.width, height: area.height)
    }
    let end = (x + size[0], y + size[1])
    if end.0 > area.width || end.1 > area.height {
      notices.append(
        Notice(
          .irregular,
          "the crop ends at column {column} and row {row}, outside of the image (limited to the "
            + "image)",
          ["column": end.0, "row": end.1],
          at: .init(path: directory.path + ["tag \(TIFFTag.defaultCropSize.rawValue)"])))
    }
    return RawArea(
      x: x, y: y, width: min(size[0], area.width - x), height: min(size[1], area.height - y))
  }

  /// The part of the default crop that the photographer chose; all of it without one.
  ///
  /// Source: DNG 1.7.1, DefaultUserCrop: top, left, bottom and right as shares of the default crop.
  private static func userCrop(
    _ directory: DNGDirectory, of crop: RawArea, _ notices: inout [Notice]
  ) throws(ImageError) -> RawArea {
    let sides = try directory.optionalNumbers(.defaultUserCrop, atMost: 4, &notices) {
      $0.count == 4 && $0.allSatisfy((0...1).contains) && $0[0] < $0[2] && $0[1] < $0[3]
    }
    guard let sides else { return crop }
    func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
      let first = min(Int(clamping: (start * Double(count)).rounded()), count - 1)
      return first..<max(Int(clamping: (end * Double(count)).rounded()), first + 1)
    }
    let rows = range(sides[0], sides[2], crop.height)
    let columns = range(sides[1], sides[3], crop.width)
    return RawArea(
      x: crop.x + columns.lowerBound, y: crop.y + rows.lowerBound, width: columns.count,
      height: rows.count)
  }

  /// Scale of photosites to square pixels; 1 for impossible values.
  ///
  /// Source: DNG 1.7.1, DefaultScale.
  private static func pixelScale(
    _ directory: DNGDirectory, _ crop: RawArea, limits: ImageLimits, _ notices: inout [Notice]
  ) throws(ImageError) -> SIMD2<Double> {
    guard let scale = try directory.optionalNumbers(.defaultScale, atMost: 2, &notices) else {
      return .one
    }
    guard scale.count == 2, scale.allSatisfy({ (1.0 / 8...8).contains($0) }) else {
      notices.append(
        Notice(
          .rawPixelScaleIgnored, ["scale": scale],
          at: .init(path: directory.path + ["tag \(TIFFTag.defaultScale.rawValue)"])))
      return .one
    }
    do throws(ImageError) {
      try limits.check(
        width: Int(clamping: Double(crop.width) * scale[0]),
        height: Int(clamping: Double(crop.height) * scale[1]))
    } catch {
      throw directory.located(error, .defaultScale)
    }
    return SIMD2(scale[0], scale[1])
  }

  /// An optional factor; 1 if missing, undefined or outside of 0...100.
  private static func factor(
    _ directory: DNGDirectory, _ tag: TIFFTag, _ notices: inout [Notice]
  ) throws(ImageError) -> Double {
    let factor = try directory.optionalNumbers(tag, atMost: 1, &notices)?.first ?? 1
    return (0...100).contains(factor) ? factor : 1
  }
}

extension DevelopmentParameters {
  /// A profile and its look.
  struct Look {
    var profile: RenderingProfile
    var rendering: ProfileLook
  }

  /// Looks for displays without and with headroom.
  struct Looks {
    var standard: Look
    /// `nil` if no profile of the file is made for displays with headroom.
    var extended: Look?

    /// Names of the semantic masks that color tables use.
    var masks: Set<String> {
      Set(
        [standard, extended].compactMap { $0?.rendering.rgbTables }.flatMap(\.tables)
          .compactMap(\.mask))
    }
  }

  /// Looks of a development.
  ///
  /// A profile for displays with headroom is paired with the other profile of its group, if any.
  ///
  /// - Throws: `.invalidArgument` for an unknown profile name.
  func looks(_ development: RawDevelopment) throws(ImageError) -> Looks {
    var chosen = profiles.all[0]
    if let name = development.profileName {
      guard let named = profiles.named(name) else {
        let names = profiles.all.compactMap(\.name)
        throw ImageError(
          names.isEmpty ? .rawProfilesUnnamed : .rawProfileUnknown,
          ["name": name, "profiles": names])
      }
      chosen = named
    }
    let standard =
      chosen.isHDR
      ? profiles.partner(of: chosen, isHDR: false) ?? profiles.all.first { !$0.isHDR } ?? chosen
      : chosen
    let extended = chosen.isHDR ? chosen : profiles.partner(of: chosen, isHDR: true)
    return Looks(
      standard: look(standard, development, isHDR: false),
      extended: extended.map { look($0, development, isHDR: true) })
  }

  /// The development with headroom, if its standard look is tone mapped.
  ///
  /// - Throws: `.invalidArgument` for an unknown profile name.
  func withHeadroom(_ development: RawDevelopment) throws(ImageError) -> RawDevelopment {
    guard development.isStandard, development.isStandardLookToneMapped,
      try looks(development).standard.profile.toneCurve == nil
    else { return development }
    var extended = development
    extended.extendedDynamicRangeAmount = 1
    return extended
  }

  /// The look of a profile with the controls of a development.
  private func look(
    _ profile: RenderingProfile, _ development: RawDevelopment, isHDR: Bool
  ) -> Look {
    let ownExposure = baselineExposure + profile.baselineExposureOffset
    let exposure = (development.baselineExposure ?? ownExposure) + development.exposure
    let white = white(development, profile)
    let map = profiles.gainTableMap(of: profile)?.scaled(by: development.localToneMapAmount)
    let rendering = ProfileLook(
      isHDR: isHDR,
      hueSatMap: white.flatMap { profile.camera?.hueSatMap(for: $0.chromaticity) },
      gainTableMap: development.localToneMapAmount == 0 ? nil : map,
      // Neither exposure moves the local tone curves.
      gainExposure: exp2(ownExposure - development.sceneExposure), exposure: exposure,
      ramp: ExposureRamp(
        stops: exposure, shadows: development.shadowBias ?? shadows(of: profile),
        peak: ProfileLook.peak(isHDR: isHDR)),
      lookTable: profile.lookTable,
      tone: ToneRendering(
        curve: profile.toneCurve ?? .standard, exposure: exposure, boost: development.boostAmount,
        boostShadow: development.boostShadowAmount, isHDR: isHDR),
      rgbTables: profiles.rgbTables(of: profile))
    return Look(profile: profile, rendering: rendering)
  }

  /// Notices of controls that the file does not support.
  func unsupported(_ development: RawDevelopment) -> [Notice] {
    guard !development.isSceneLinear, development.localToneMapAmount != 1,
      profiles.gainTableMap(of: profiles.all[0]) == nil
    else { return [] }
    return [
      Notice(
        .dropped, "not used: amount of local tone mapping (the file does not have a map for it)")
    ]
  }
}

extension DevelopmentParameters {
  /// The white point that makes an object gray.
  ///
  /// - Parameters:
  ///   - location: Position of the object in the upright image of full size, in pixels.
  ///   - samples: Stored samples.
  ///   - development: Corrections.
  /// - Returns: The chromaticity; `nil` for gray images.
  /// - Throws: `.invalidArgument` for a position outside the image, or one that is black or saturated.
  func neutral(
    at location: SIMD2<Int>, _ samples: RawSamples, _ development: RawDevelopment
  ) throws(ImageError) -> Chromaticity? {
    guard asShot != nil, let profile = profiles.all[0].camera else { return nil }
    var plain = RawDevelopment.sceneLinear
    plain.highlights = .keep
    plain.isLensCorrectionEnabled = development.isLensCorrectionEnabled
    let grid = grid(plain)
    let upright = orientation.swapsSides ? (grid.height, grid.width) : (grid.width, grid.height)
    guard 0..<upright.0 ~= location.x, 0..<upright.1 ~= location.y else {
      throw ImageError(
        .invalidArgument, "the neutral location {x}, {y} is outside the image of {size}",
        ["x": location.x, "y": location.y, "size": .size(upright.0, upright.1)])
    }
    let stored = orientation.storedPosition(
      x: location.x, y: location.y, width: grid.width, height: grid.height)
    let gains = SIMD3<Float>(1, 1, 1)
    let camera = try camera(try reference(samples, plain, gains: gains), plain, gains: gains)
    func around(_ place: Int, _ count: Int) -> Range<Int> {
      max(place - Self.neutralReach, 0)..<min(place + Self.neutralReach + 1, count)
    }
    let (columns, rows) = (around(stored.x, grid.width), around(stored.y, grid.height))
    let (x, y) = (grid.area.x, grid.area.y)
    var sum = SIMD3<Double>(0, 0, 0)
    var isSaturated = false
    camera.make(
      rows: rows.lowerBound + y..<rows.upperBound + y,
      columns: columns.lowerBound + x..<columns.upperBound + x
    ) { _, row in
      for index in row.red.indices {
        let color = SIMD3(row.red[index], row.green[index], row.blue[index])
        isSaturated = isSaturated || color.max() >= 0.99
        sum += SIMD3<Double>(color)
      }
    }
    guard !isSaturated, sum.min() > 0 else {
      throw ImageError(
        .unsuitable,
        "the image around {x}, {y} is black or saturated, so that its color is unknown",
        ["x": location.x, "y": location.y])
    }
    return CameraWhite(neutral: sum / sum.max(), profile).chromaticity
  }

  /// Pixels on each side that are averaged.
  private static let neutralReach = 4
}
