internal import Foundation
internal import HDRCore

extension DevelopmentParameters {
  /// A profile, and what it makes of light.
  struct Look {
    var profile: RenderingProfile
    var rendering: ProfileLook
  }

  /// The looks for white as the brightest, and for displays with headroom.
  struct Looks {
    var standard: Look
    /// `nil` if no profile of the file is for such displays.
    var extended: Look?

    /// Names of the semantic masks that the tables of colors are for.
    var masks: Set<String> {
      Set(
        [standard, extended].compactMap { $0?.rendering.rgbTables }.flatMap(\.tables)
          .compactMap(\.mask))
    }
  }

  /// The looks that are wanted.
  ///
  /// A profile for displays with headroom goes with the other one of its group, if it has one.
  ///
  /// - Throws: `.invalidArgument` for the name of a profile that the file does not have.
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

  /// What a profile makes of light, with light above white kept or not, as its user wants.
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
      gainExposure: exp2(ownExposure), exposure: exposure,
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

  /// What the development asks for in vain.
  func unsupported(_ development: RawDevelopment) -> [Notice] {
    guard !development.isSceneLinear, development.localToneMapAmount != 1,
      profiles.gainTableMap(of: profiles.all[0]) == nil
    else { return [] }
    return [Notice(.rawNoLocalToneMap)]
  }
}
