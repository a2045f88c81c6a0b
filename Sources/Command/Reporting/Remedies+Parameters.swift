// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension Remedies {
  /// Remedies that depend on the parameters of the error or on the verb; `nil` for none.
  static let byParameters: [String: @Sendable (DiagnosticParameters, _ verb: String) -> String?] = [
    "container/not-editable": { parameters, verb in
      let new = "hdrconvert IN -o IN-new.avif"
      guard verb == "tag" else { return "make a new file: \(new)" }
      let isWrittenByExifTool = ["TIFF", "DNG"].contains {
        parameters["format"] == .text($0)
      }
      return (isWrittenByExifTool ? "change a copy with ExifTool, or " : "")
        + "make a new file"
        + (Invocation.current.stripOption == nil ? ", without locations by --strip gps" : "")
        + ": \(new)"
    },
    "pixel-limit-exceeded": { parameters, _ in
      guard case .dimensions(let width, let height) = parameters["size"],
        case .integer(let side) = parameters["side"], max(width, height) > side
      else { return "raise --max-pixels if you trust this file" }
      return "divide the image into parts; no option raises the limit per side"
    },
    "gain-map/none": { _, verb in
      verb == "remux"
        ? "to compute a gain map: hdrconvert gainmap create IN -o IN-gainmap.jpg"
        : withoutGainMap(verb)
    },
    "gain-map/none-readable": { _, verb in withoutGainMap(verb) },
    "gain-map/not-applicable": { _, verb in withoutGainMap(verb) },
    "jpeg/hdr-base-unsupported": { _, verb in
      "write .heic or .avif" + (verb == "gainmap create" ? ", or --baseline sdr" : "")
    },
    "convert/flavors-without-gain-map": { parameters, _ in
      parameters["hasGainMap"] == nil
        ? "leave out --flavors, or compute a gain map: hdrconvert gainmap create IN -o OUT"
        : "leave out --flavors, or add --gainmap keep"
    },
    "base/profile-not-portable": { parameters, verb in rendering(of: parameters, verb) },
    "base/floating-point": { parameters, verb in rendering(of: parameters, verb) },
    "target/profile-required": { parameters, _ in
      let option = Invocation.current.spelling(of: "--set icc")
      let isAlone = [.text("JPEG"), .text("TIFF")].contains(parameters["format"])
      return "leave out \(option), or " + (isAlone ? "write .png" : "--set color-tags=cicp")
    },
    "request/requires": { parameters, _ in
      parameters["other"] == .text("the verb tag")
        ? "for metadata of a file whose image stays as it is: hdrconvert help tag" : nil
    },
    "target/not-hdr": { parameters, _ in
      parameters["format"] == .text("JPEG")
        ? "For an SDR JPEG: `hdrconvert render IN --level standard -o OUT`; to keep HDR as an "
          + "Ultra HDR JPEG: `hdrconvert IN -o OUT`; for PQ or HLG: write .avif or .heic"
        : "write .avif, .heic, .png, .tif or .exr"
    },
    "convert/option-changes-samples": { parameters, _ in
      switch parameters["field"] {
      case .text("--exposure"):
        "--gainmap apply, which computes a new gain map, or leave out --exposure"
      case .text(let option) where optionsOfMetadata.contains(option):
        "leave out \(option), and edit the output: hdrconvert help tag"
      case .text(let option) where parameters["gainMap"] == .text("computed"):
        "leave out \(option)" + (option == "--primaries" ? ", or add --sdr for an SDR image" : "")
      case .text(let option):
        "leave out \(option), or write .avif with --gainmap apply"
      default: nil
      }
    },
    "recode/container-differs": { parameters, verb in
      let suffix = "give the output the suffix .{suffix}"
      return ["remux", "gainmap join"].contains(verb)
        ? suffix + ", or add --allow-reencode" : suffix
    },
    "gain-map/exact-conflict": { parameters, _ in
      parameters["alternative"] == .text("apple")
        ? "--flavors iso, or --flavors apple" : "--flavors iso, or leave out --exact"
    },
    "create/no-headroom": { parameters, verb in
      let source =
        switch parameters["color"] {
        case .text("raw"): "make it brighter with --exposure N, in stops"
        case .text("assumed"):
          "specify its color with --assume, or give a file with PQ, HLG, or linear values above 1.0"
        default: "give a file with PQ, HLG, or linear values above 1.0"
        }
      return source + ", or write the SDR image: "
        + (verb == "convert" ? "add --sdr" : "hdrconvert render IN -o OUT --level standard")
    },
    "create/sdr-rotated": { parameters, _ in
      let rotating =
        parameters["suffix"] == .text("")
        ? "convert IN -o IN-rotated.png" : "remux IN -o IN-rotated.{suffix}"
      return "hdrconvert \(rotating) --rotate 90, and give that file"
    },
    "create/target-error-unreachable": { parameters, _ in
      let obstacle: String? =
        switch parameters["obstacle"] {
        case .text("subsampling"): "--yuv 444"
        case .text("components"): "--gainmap-channels 3"
        case .text("apple"):
          parameters["flavors"] == .list([.text("apple")])
            ? "--flavors iso" : "leave 'apple' out of --flavors"
        case .text("scale"): "--gainmap-scale 1"
        case .text("map-depth"): "--gainmap-depth 10"
        case .text("depth"): "--depth 10"
        case .text("format"): ".heic or .avif, whose baseline images have 10 bits"
        default: nil
        }
      return ([obstacle].compactMap(\.self) + ["--target-error {reached}"]).joined(
        separator: ", or ")
    },
    "output/folder-missing": { parameters, _ in
      guard case .text(let folder)? = parameters["folder"] else { return nil }
      return "mkdir -p \(folder.asArgument)"
    },
    "raw/no-preview": { parameters, _ in
      parameters["compression"] == nil
        ? "to develop one: hdrconvert IN -o OUT --sdr --resize 1024" : otherwise(than: parameters)
    },
    "raw/dng-version-unsupported": { parameters, _ in otherwise(than: parameters) },
    "raw/compression-unsupported": { parameters, _ in otherwise(than: parameters) },
    "raw/x-trans-too-small": { parameters, _ in otherwise(than: parameters) },
    "raw/libraw-unsupported": { parameters, _ in otherwise(than: parameters) },
    "raw/libraw-damaged": { parameters, _ in otherwise(than: parameters) },
  ]

  /// Options that `tag` has as well.
  private static let optionsOfMetadata = Set(
    RequestKeys.tag.keys.map { "\(RequestKeys.tag.name) \($0.name)" })

  /// Remedies that depend on the parameters of the notice or on the verb; `nil` for none.
  static let noticeByParameters:
    [String: @Sendable (DiagnosticParameters, _ verb: String) -> String?] = [
      "create/colors-outside-base": { parameters, verb in
        let options = [
          parameters["flavors"] == .list([.text("iso")]) ? nil : "--flavors iso",
          verb == "gainmap create" && parameters["components"] == .integer(1)
            ? "--gainmap-channels 3" : nil,
        ].compactMap(\.self)
        return options.isEmpty ? nil : options.joined(separator: " and ")
      },
      "create/sdr-not-kept": { parameters, verb in
        guard parameters["what"] == .text("gain map") else { return nil }
        return "to keep the SDR image of the file: "
          + (verb == "convert"
            ? "--gainmap keep" : "hdrconvert convert IN -o OUT --gainmap keep --force")
      },
    ]

  /// The remedy for a file without an applicable gain map.
  private static func withoutGainMap(_ verb: String) -> String? {
    verb == "gainmap apply" ? "to convert it as it is: hdrconvert IN -o OUT" : nil
  }

  /// The remedy for a baseline image that the output cannot store.
  private static func rendering(of parameters: DiagnosticParameters, _ verb: String) -> String {
    switch parameters["format"] {
    case .text("JPEG"):
      "make an SDR image of it: hdrconvert render IN -o IN-sdr.jpg --level standard"
    case _ where verb == "convert": "--gainmap apply"
    case .text("HEIF"): "make an HDR image of it: hdrconvert IN -o IN-hdr.heic"
    default: "make an HDR image of it: hdrconvert IN -o IN-hdr.avif"
    }
  }

  /// The remedy for a raw file that cannot be developed.
  private static func otherwise(than parameters: DiagnosticParameters) -> String {
    if parameters["hasPreview"] != nil {
      return "its preview may be readable: hdrconvert extract IN -o preview.jpg --preview"
    }
    if case .text(let compression)? = parameters["compression"], compression.hasPrefix("VC-5") {
      return "convert it to DNG with gpr_tools of GoPro, or with Adobe DNG Converter"
    }
    if case .text(let library)? = parameters["library"] {
      return
        "install a version of LibRaw after \(library.split(separator: " ").last ?? "this one"), "
        + "or convert it to DNG with Adobe DNG Converter"
    }
    return "convert it to DNG with Adobe DNG Converter, or to TIFF with the program of its maker"
  }
}
