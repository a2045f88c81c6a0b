// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

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
