// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// The options of the command for the fields of a request; no other code knows both.
enum OptionNames {
  /// Options by field; fields without an option are named as in JSON.
  static let byField = options.merging(
    RequestKeys.all.flatMap { option in
      option.keys.map { ($0.field, "\(option.name) \($0.name)") }
    }, uniquingKeysWith: { option, _ in option })

  private static let options: [String: String] = [
    "content": "--sdr",
    "gainMap.use": "--gainmap", "gainMap.headroomStops": "--headroom",
    "gainMap.baseline": "--baseline", "gainMap.flavors": "--flavors", "gainMap.isExact": "--exact",
    "gainMap.quality": "--gainmap-quality", "gainMap.scale": "--gainmap-scale",
    "gainMap.componentCount": "--gainmap-channels", "gainMap.depth": "--gainmap-depth",
    "gainMap.targetError": "--target-error", "gainMap.measurement": "--report",
    "companions.gainMap": "--map", "companions.gainMapMetadata": "--metadata",
    "rendition.display": "--display", "rendition.headroomStops": "--headroom",
    "rendition.level": "--level", "rendition.toneMapping": "--operator",
    "rendition.gamutMapping": "--gamut",
    "rendition.highlightDesaturation": "--highlight-desaturation",
    "rendition.exposure": "--exposure",
    "geometry.crop": "--crop", "geometry.longSide": "--resize", "geometry.width": "--resize",
    "geometry.height": "--resize", "geometry.isEnlarged": "--resize",
    "geometry.rotation": "--rotate", "geometry.flip": "--flip",
    "color.transfer": "--transfer", "color.primaries": "--primaries",
    "color.referenceWhite": "--reference-white",
    "coding.format": "--to", "coding.quality": "--quality", "coding.isLossless": "--lossless",
    "coding.speed": "--speed", "coding.depth": "--depth", "coding.chroma": "--yuv",
    "metadata.item": "--item", "metadata.strip": "--strip",
    "copying (required)": "the verb tag", "input.image": "--image", "input.assumed": "--assume",
    "input.assumed.referenceWhite": "--assume", "input.declared": "--declare",
    "input.appleCurve": "--assume gainmap",
  ]

  /// The unit of the field that a key sets; empty for others.
  static func unit(of field: String) -> String {
    RequestKeys.all.flatMap(\.keys).first { $0.field == field }?.unit ?? ""
  }
}

extension RequestKeys {
  /// The options with keys that set fields of a request.
  static let all = [raw, set, tag, makerNotes]
}

extension ImageError {
  /// The error with options in place of the fields of a request.
  var namingOptions: ImageError {
    var error = self
    if code.id == "request/out-of-range", case .text(let field)? = parameters["field"],
      case .text(let values)? = parameters["values"], values.last?.isNumber == true
    {
      error.parameters.values["values"] = .text("\(values) \(OptionNames.unit(of: field))".trimmed)
    }
    for name in ["field", "other"] {
      guard case .text(let field)? = parameters[name], let option = OptionNames.byField[field]
      else { continue }
      error.parameters.values[name] = .text(Invocation.current.spelling(of: option))
    }
    return error
  }
}

extension ArgumentVisibility {
  /// Options that `help VERB` omits and `help VERB --all` lists.
  static var inFull: ArgumentVisibility { OptionVisibility.isComplete ? .default : .hidden }
}

extension ArgumentHelp {
  /// The text of an option or argument, and the name of its value.
  static func text(_ text: String, _ value: String? = nil) -> ArgumentHelp {
    ArgumentHelp(text, valueName: value)
  }

  /// As `text`, for an option that only `help VERB --all` lists.
  static func full(_ text: String, _ value: String? = nil) -> ArgumentHelp {
    ArgumentHelp(text, valueName: value, visibility: .inFull)
  }
}

/// Whether ArgumentParser treats all options as visible.
///
/// It leaves hidden options out of completion scripts and their values out of errors.
enum OptionVisibility {
  @TaskLocal static var isComplete = CommandLine.arguments.contains("--generate-completion-script")
}

extension ParsableCommand {
  /// The message for an error of the parser, which lists the values of any option.
  static func completeMessage(for error: any Error) -> String {
    OptionVisibility.$isComplete.withValue(true) { message(for: error) }
  }
}
