// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore

/// The options of the command for the fields of a request; no other code knows both.
enum OptionNames {
  /// Options by field; fields without an option are named as in JSON.
  static let byField: [String: String] = [
    "content": "--sdr",
    "gainMap.use": "--gainmap", "gainMap.headroomStops": "--headroom",
    "gainMap.baseline": "--base", "gainMap.flavors": "--flavors", "gainMap.isExact": "--exact",
    "gainMap.quality": "--gainmap-quality", "gainMap.scale": "--gainmap-scale",
    "gainMap.componentCount": "--gainmap-channels", "gainMap.depth": "--gainmap-depth",
    "gainMap.targetError": "--target-error", "gainMap.measurement": "--report",
    "companions.standard": "--base", "companions.gainMap": "--map",
    "companions.gainMapMetadata": "--metadata",
    "rendition.display": "--display", "rendition.headroomStops": "--headroom",
    "rendition.level": "--level", "rendition.toneMapping": "--operator",
    "rendition.gamutMapping": "--gamut",
    "rendition.highlightDesaturation": "--highlight-desaturation",
    "rendition.exposure": "--exposure",
    "geometry.crop": "--crop", "geometry.longSide": "--resize", "geometry.width": "--resize",
    "geometry.height": "--resize", "geometry.isEnlarged": "--enlarge",
    "geometry.rotation": "--rotate", "geometry.flip": "--flip",
    "geometry.orientation": "--orientation",
    "color.transfer": "--transfer", "color.primaries": "--primaries", "color.matrix": "--cicp",
    "color.range": "--range", "color.profile": "--print", "color.signaling": "--signal",
    "color.referenceWhite": "--reference-white", "color.imageState": "--image-state",
    "coding.format": "--to", "coding.quality": "--quality", "coding.isLossless": "--lossless",
    "coding.speed": "--speed", "coding.depth": "--depth", "coding.chroma": "--yuv",
    "coding.alpha": "--alpha",
    "metadata.contentLightLevel": "--clli", "metadata.masteringDisplay": "--mdcv",
    "metadata.contentColorVolume": "--cclv", "metadata.diffuseWhite": "--ndwt",
    "metadata.referenceEnvironment": "--reve", "metadata.ambientEnvironment": "--amve",
    "metadata.exif": "--exif", "metadata.xmp": "--xmp", "metadata.icc": "--icc",
    "metadata.adaptation": "--adaptation", "metadata.keepsMakerNotes": "--keep",
    "metadata.strip": "--strip",
    "input.image": "--image", "input.assumed": "--assume",
    "input.assumed.referenceWhite": "--white", "input.declared": "--declare",
    "input.appleCurve": "--apple-curve",
    "raw.isSceneLinear": "--scene-linear", "raw.baselineExposure": "--baseline-exposure",
    "raw.sceneExposure": "--scene-exposure", "raw.temperature": "--temperature",
    "raw.tint": "--tint", "raw.neutralLocation": "--neutral-location",
    "raw.highlights": "--highlights", "raw.profile": "--profile",
    "raw.shadowBias": "--shadow-bias", "raw.boost": "--boost",
    "raw.boostShadow": "--boost-shadow", "raw.localToneMap": "--local-tone-map",
    "raw.extendedDynamicRange": "--extended-dynamic-range", "raw.sharpness": "--sharpness",
    "raw.luminanceNoiseReduction": "--luminance-noise-reduction",
    "raw.colorNoiseReduction": "--color-noise-reduction",
    "raw.moireReduction": "--moire-reduction", "raw.contrast": "--contrast",
    "raw.detail": "--detail", "raw.suppressesHotPixels": "--hot-pixel-suppression",
    "raw.mapsGamut": "--gamut-mapping", "raw.correctsLens": "--lens-correction",
    "raw.appliesUserCrop": "--user-crop", "raw.scaleFactor": "--scale-factor",
    "raw.localExposures": "--local-exposure", "raw.isDraft": "--draft",
    "raw.isSalvaging": "--salvage",
  ]
}

extension ImageError {
  /// The error with options in place of the fields of a request.
  var namingOptions: ImageError {
    var error = self
    for name in ["field", "other"] {
      guard case .text(let field)? = parameters[name], let option = OptionNames.byField[field]
      else { continue }
      error.parameters.values[name] = .text(option)
    }
    return error
  }
}
