// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Remedies against errors: one command that runs as printed, or a sentence.
enum Remedies {
  /// Remedies by the code of the error; `byParameters` has those that are more than a text.
  ///
  /// `IN` stands for the input, `IN-x.y` for a name made from it, `OUT` for the output, `VERB` for
  /// the verb, and `{name}` for a parameter of the error, `{name,}` for a list as options take it.
  static let byCode: [String: String] = [
    "arguments/not-utf-8": "rename the file, or use standard input and output: - < FILE",
    "budget/memory-exceeded": memory,
    "budget/work-exceeded": fixedLimit,
    "too-many-elements": fixedLimit,
    "nested-too-deeply": fixedLimit,
    "xml/limit-exceeded": fixedLimit,
    "sample-memory-exceeded": memory,
    "size-limit-exceeded": memory,
    "geometry/crop-outside": "--crop {inside,}",
    "geometry/result-too-large": "use a smaller --resize, or raise --max-pixels",
    "container-unsupported": "make a new file: hdrconvert IN -o IN-new.avif",
    "display-unknown": "use one of {known}",
    "input/link-broken": "restore that file, or remove the link: rm IN",
    "request/transfer-not-sdr":
      "leave out {field} for an HDR image, or --transfer {transfer} for an SDR image",
    "input-is-folder": "name its files, as in IN/*; verbs that write files take folders with -r",
    "input-is-not-a-file":
      "save it as a file, or pipe it into the command with - as its input",
    "unrecognized-format": "for the formats that are read: hdrconvert codecs",
    "format/codec-missing": "for the formats of this build: hdrconvert codecs",
    "heif/encoder-missing": "install the x265 plugin of libheif (Debian: libheif-plugin-x265)",
    "jpeg/coefficient-limit-exceeded": memory,
    "png/interlaced-limit-exceeded": memory,
    "tiff/chunk-limit-exceeded": memory,
    "out-of-memory": "close other programs, or use a machine with more memory",
    "jpeg/too-large": "write .png or .avif",
    "jpegxl/reconstruction-missing": "to make a new JPEG file: hdrconvert IN -o OUT",
    "jpegxl/jpeg-unsupported": "to encode its samples: hdrconvert IN -o OUT",
    "jpegxl/gain-map-flavors": "--flavors iso",
    "jpegxl/code-points-not-storable":
      "primaries 1, 9 or 12, transfer 1, 8, 13, 16 or 18, and matrix 0",
    "jpegxl/codestream-metadata": newJPEGXL,
    "jpegxl/color-in-profile": newJPEGXL,
    "jpegxl/color-of-xyb": newJPEGXL,
    "jpegxl/profile-too-large": memory,
    "jpegxl/reconstruction-too-large": memory,
    "brotli/limit-exceeded": memory,
    "jpeg/not-lossless": "write .png or .avif",
    "tiff/too-large": "write .png or .avif",
    "exr/orientation-not-storable": "rotate the samples: --set orientation=bake",
    "gain-map/map-format-unsupported": "give the map as PNG, JPEG, HEIF or AVIF",
    "gain-map/map-has-alpha": "save it without alpha",
    "png/orientation-not-supported":
      "use convert, which re-encodes, with the same --rotate and --flip",
    "metadata/not-storable": "HEIF and AVIF can store it: hdrconvert IN -o IN-new.avif",
    "location-not-removable": "drop the metadata as a whole: --strip exif,xmp",
    "heif/item-truncated": "convert makes a new image of what is available; if only a gain map is "
      + "truncated, gainmap flatten drops it",
    "gain-map/metadata-missing":
      "give --metadata the JSON of 'gainmap extract', or a file that has a gain map",
    "gain-map/flavor-not-possible": "--flavors {usable,}",
    "gain-map/fit-too-far": "--flavors {usable,}",
    "gain-map/two-auxiliary-types": "--flavors iso,apple or --flavors iso,xmp",
    "missing-codec": "for the formats of this build: hdrconvert codecs",
    "raw/profiles-unnamed": "leave out the name",
    "raw/profile-unknown": "its profiles are {profiles}",
    "raw/matte-unknown": "the file has: {mattes}",
    "raw/no-color-matrix": "convert it with Adobe DNG Converter, which supports many cameras",
    "jpegxl/box-truncated": "convert makes a new image of what is available; if only a gain map is "
      + "truncated, gainmap flatten drops it",
    "jpegxl/frame-incomplete": "convert makes a new image of what is available",
    "heif/sequence-truncated": "convert makes a new image of the rest",
    "gain-map/format-unsupported": "write .jpg, .heic, .avif, .jxl or .png",
    "base/subsampling-unsupported": "--yuv 444",
    "create/apple-needs-sdr-base": "leave 'apple' out of --flavors, or --baseline sdr",
    "create/apple-one-component": "--gainmap-channels 1",
    "create/base-depth-unsupported": "leave out --depth",
    "create/map-depth-unsupported": "leave out --gainmap-depth",
    "create/sdr-is-hdr":
      "give another image, or leave it out: it is tone mapped from the HDR image",
    "create/companion-differs": "give the JPEG of the same exposure, or leave it out",
    "create/companion-warped": "turn off the lens correction of the camera, or leave it out",
    "create/sizes-differ": "give both images the same size, or leave out the SDR image: it is tone "
      + "mapped from the HDR image",
    "create/sdr-is-raw": "hdrconvert render IN -o IN-sdr.png --level standard, and give that",
    "adaptation/needs-profile": "leave out --set adaptation, or add --set color-tags=both",
    "adaptation/profile-given": "leave out --set icc or --set adaptation",
    "icc/not-for-output": "give the RGB profile of a printer or of a display",
    "print/profile-not-sdr": "leave out --set print and --sdr for a PQ or HLG image",
    "print/profile-unusable": "give an RGB profile; a print shop converts to CMYK",
    "target/gray-with-profile": "leave out --yuv 400",
    "target/profile-not-storable": "write .tif, .png or .jpg",
    "target/depth-unsupported": "--depth {usual}",
    "target/subsampling-unsupported": "leave out --yuv, or write .avif or .heic",
    "target/subsampled-rgb": "leave out --yuv or matrix 0",
    "target/matrix-unsupported": "use 9 (BT.2020), 1, 5, 6 or 12",
    "target/no-cicp": "--set color-tags=icc",
    "target/not-linear": "leave out --transfer, or write .png",
    "target/not-scrgb": "leave out --primaries, or write .exr",
    "target/premultiplied-unsupported": "write .avif, .heic or .exr",
    "target/range-unsupported": "leave out --set range",
    "swap/apple-only": "first hdrconvert remux IN -o IN-iso.{suffix} --flavors iso --exact",
    "apple/swap-needs-sdr-base": "--flavors {usable,}",
    "gain-map/flavor-not-possible-per-component": "--flavors {usable,}",
    "output/folder-is-file": "name another folder, or rename the file",
    "output/is-folder": "name a file in it, or give --out-dir instead",
    "output/is-input": "name another output",
    "output/format-missing": "give the output a suffix, or name the format with --to",
    "output/format-of-input": "name the format of the outputs, such as --to jpeg",
    "output/format-unknown": "use one of the suffixes \(FileFormat.namesOfOutputs)",
    "output/format-not-written": "write one of \(FileFormat.namesOfOutputs)",
    "batch/companion-missing": "name it: --raw camera-jpeg=FILE, or leave camera-jpeg out",
    "batch/folder-not-readable": "check that the folder can be read: ls -ld IN",
    "batch/input-changed": "run the command again when the file is complete",
    "batch/no-input": "name image files, or folders with --recursive",
    "batch/same-output":
      "tell them apart with --name '{stem}-{index}.{ext}', or for raw files with JPEG: --raw camera-jpeg=auto",
    "journal/in-use": "wait for the other run, or give each run a journal of its own",
    "journal/not-recognized": "name a new file for the journal",
    "display/list-takes-no-image": "--display with a name from that list",
    "render/hdr-not-storable": "--level standard, or write PQ to .avif, .heic or .png",
    "convert/no-gain-map-in-format":
      "write .jpg, .heic, .avif, .jxl or .png, or --gainmap apply",
    "output/exists": "add --force to replace it",
    "output/coded-differently":
      "give the output the suffix of the input, or convert it: hdrconvert IN -o OUT",
    "input/too-long": memory,
    "exr/chunk-limit-exceeded": memory,
    "png/chunk-limit-exceeded": memory,
    "raw/libraw-limit-exceeded": memory,
    "raw/samples-limit-exceeded": memory,
    "raw/option-without-raw": "leave out {field}",
    "raw/selection-not-raw": "hdrconvert extract IN -o preview.jpg --preview",
    "image/unknown": "for its images: hdrconvert inspect IN",
    "worker/crashed": "update the codec libraries (hdrconvert codecs), and report the file to us",
    "worker/killed": "if memory ran out, process fewer files at once (--jobs 1)",
    "worker/missing": "install it again; in a folder of builds: swift build",
    "worker/not-started": "run it with the word codecs, to see why",
    "worker/out-of-memory": memory,
    "worker/reply-invalid": "do not trust this file; report it to us",
    "worker/timed-out": "raise --time-limit if you trust this file",
    "budget/time-exceeded": "raise --time-limit if you trust this file",
    "isolation/unavailable": "add --no-isolation if you trust this file",
    "validate/no-rules": "hdrconvert inspect IN",
    "tag/no-code-points": "specify them as well: --set cicp=9/16/9",
    "extract/auxiliary-unknown": "the file has: {known}",
    "item-unknown": "for the numbers of the items: hdrconvert inspect IN --structure",
    "extract/not-from-raw": "--preview, or --matte with a name",
    "extract/preview-is-image":
      "to convert it: hdrconvert IN -o IN-preview.png --image {number}",
    "format/has-no-items": "leave out --item",
    "compare/sizes-differ": "leave out --map",
    "transcode/formats": "to convert it: hdrconvert IN -o OUT",
    "recode/for-swap": "hdrconvert gainmap swap IN -o OUT --allow-reencode",
    "join/orientation-differs": "add --allow-reencode",
    "join/codecs-differ": "add --allow-reencode, or give a map of the codec of the baseline image",
    "join/base-is-hdr": "check base_hdr_headroom and alternate_hdr_headroom in the metadata",
    "request/lossy": "leave out {field}, or --lossless; --quality 100 codes without loss",
    "request/conflict": "leave out {field} or {other}",
    "request/without-effect": "leave out {field}",
    "request/level-without-headroom": "add --headroom, such as --headroom 4x, or --display",
    "convert/keep-without-gain-map":
      "leave out --gainmap keep, or compute a gain map: hdrconvert gainmap create IN -o OUT",
  ]

  /// Remedies by the code of the notice.
  static let byNotice: [String: String] = [
    "convert/white-not-stored":
      "for white windows on a screen of 240 cd/m²: render --level standard --operator clip --reference-white 240",
    "location/included": "to leave it out: --strip gps",
    "color/bitstream-differs":
      "if the bitstream is right: hdrconvert tag IN --set cicp={repaired} --backup",
    "location/parts-not-read": "to remove them as well: --strip all",
    "privacy/video-kept": "to remove it: --strip video",
    "metadata/maker-notes-dropped": "to copy them: --set makernotes=keep",
    "output/suffix-differs": "name it with the suffix of its format, or convert it afterwards",
    "geometry/not-enlarged": "to enlarge it: add ',enlarge' to the value of --resize",
    "color/scene-referred-not-storable": "--set color-tags=both",
    "convert/gain-map-applied": "to keep both images: --gainmap keep",
    "convert/gain-map-kept": "for one HDR image: --gainmap apply",
    "convert/larger-than-input": "for fewer bytes: --quality {quality}",
    "convert/quality-reduced": "for the usual quality: --quality {usual}",
    "gain-map/alternate-primaries-unknown":
      "give them as 'alternate' in the metadata of gainmap join",
    "swap/base-in-other-primaries": "for BT.2020: hdrconvert gainmap create --sdr IN --hdr IN "
      + "-o OUT-bt2020 --baseline hdr",
  ]

  /// Notices whose remedies are commands with the name of the input.
  static let nameInput: Set<String> = [
    "create/colors-outside-base", "create/sdr-not-kept", "swap/base-in-other-primaries",
  ]

  private static let fixedLimit = "get or export the file again; no option raises this limit"
  private static let newJPEGXL = "to make a new image: hdrconvert IN -o IN-new.jxl"
  private static let memory = "raise --memory-limit if you trust this file"

  /// Whether the same command can succeed later, or with more memory.
  static func isTemporary(_ code: ErrorCode) -> Bool {
    byCode[code.id] == memory
      || [
        "out-of-memory", "journal/in-use", "process/memory-too-small", "process/stack-too-small",
      ].contains(code.id)
  }

  /// The remedy against an error; `nil` if its code has none.
  static func remedy(against error: ImageError, of invocation: Invocation) -> String? {
    let id = error.code.id
    let text = byParameters[id].map { $0(error.parameters, invocation.verb) } ?? byCode[id]
    return text.flatMap { filled($0, error.parameters, error.location, invocation) }
  }

  /// The remedy for a notice; `nil` if its code has none.
  static func remedy(for notice: Notice, of invocation: Invocation) -> String? {
    let id = notice.code.id
    guard id != "location/parts-not-read" || !invocation.stripsAll else { return nil }
    let text = noticeByParameters[id].map { $0(notice.parameters, invocation.verb) } ?? byNotice[id]
    return text.flatMap { filled($0, notice.parameters, notice.location, invocation) }
  }

  /// - Returns: The text with the names of files and the parameters; `nil` if a list in it is empty.
  private static func filled(
    _ text: String, _ parameters: DiagnosticParameters, _ location: ImageError.Location,
    _ invocation: Invocation
  ) -> String? {
    var text = text
    if let option = invocation.stripOption {
      text = text.replacing(#/hdrconvert IN -o [\w.-]+/#) { "\($0.output) \(option)" }
    }
    for (name, value) in parameters.values {
      guard text.contains("{\(name)") else { continue }
      if value == .list([]) { return nil }
      text = text.replacing("{\(name)}", with: Self.text(value, separator: ", "))
      text = text.replacing("{\(name),}", with: Self.text(value, separator: ","))
    }
    text = text.replacing("VERB", with: invocation.verb)
    if let output = invocation.output {
      text = text.replacing(#/ OUT-(\w+)/#) { " \(output.named(String($0.1)).asArgument)" }
    }
    if let output = invocation.outputArguments {
      text = text.replacing(#/(^|[ `])OUT(?=$|[ `;,])/#) { "\($0.1)\(output)" }
    }
    return text.about(file: location.file)
  }

  /// A parameter, and all entries of a list.
  private static func text(_ value: DiagnosticValue, separator: String) -> String {
    guard case .list(let entries) = value else {
      return DiagnosticTemplate("{value}").rendered(with: ["value": value])
    }
    return entries.map { text($0, separator: separator) }.joined(separator: separator)
  }
}

/// The way of a verb to a re-encoded gain map.
enum ExactRemedy {
  /// The verb has the option `--exact`.
  case option
  /// A second step by `remux --exact`, after the verb has run without `--flavors`.
  case remux(after: String, into: String)
}

extension ImageError {
  /// The remedy that leads to an exact gain map, followed by the usual one.
  ///
  /// - Parameters:
  ///   - way: The way of the verb.
  ///   - wanted: The requested flavors.
  /// - Returns: `nil` if re-encoding the gain map does not help.
  func exactRemedy(by way: ExactRemedy, _ wanted: FlavorList?) -> String? {
    guard let wanted, case .list(let names)? = parameters["exact"] else { return nil }
    let flavors = names.compactMap { name -> GainMapFlavor? in
      if case .text(let text) = name { GainMapFlavor(rawValue: text) } else { nil }
    }
    return exactRemedy(by: way, wanted, exact: Set(flavors))
  }

  /// The remedy that leads to a gain map that flavors describe exactly; `nil` for no flavors.
  func exactRemedy(
    by way: ExactRemedy, _ wanted: FlavorList, exact flavors: Set<GainMapFlavor>
  ) -> String? {
    guard !flavors.isEmpty else { return nil }
    let names = GainMapFlavor.allCases.filter(flavors.contains).map(\.rawValue)
    let option = "--flavors \(names.joined(separator: ",")) --exact"
    let words =
      switch way {
      case .option where flavors == wanted.all: "add --exact, which re-encodes the gain map"
      case .option: "\(option), which re-encodes the gain map"
      case .remux(let step, let output):
        "\(step) without --flavors, then hdrconvert remux \(output.asArgument) "
          + "-o \(output.named("exact").asArgument) \(option)"
      }
    let usual = Remedies.remedy(against: self, of: .current)
    return ([words] + [usual].compactMap(\.self)).joined(separator: ", or ")
  }
}
