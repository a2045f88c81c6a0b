internal import HDRCore

/// What helps against an error: one command that runs as printed, or a sentence.
enum Remedies {
  /// Remedies by the code of the error.
  ///
  /// `IN` stands for the input, `IN-x.y` for a name made from it, `VERB` for the verb, and
  /// `{name}` for a parameter of the error, `{name,}` for a list as options take it.
  static let byCode: [String: String] = [
    "pixel-limit-exceeded": "raise --max-pixels if you trust this file",
    "sample-memory-exceeded": memory,
    "size-limit-exceeded": memory,
    "geometry/crop-outside": "--crop {inside,}",
    "geometry/result-too-large": "use a smaller --resize, or raise --max-pixels",
    "display-unknown": "use one of {known}",
    "input-is-folder": "name a file in it",
    "input-is-not-a-file": "cat IN | hdrconvert VERB - ...",
    "unrecognized-format": "see which formats are read: hdrconvert codecs",
    "format/codec-missing": "see which formats this build has: hdrconvert codecs",
    "heif/encoder-missing": "install the x265 plugin of libheif",
    "jpeg/coefficient-limit-exceeded": memory,
    "png/interlaced-limit-exceeded": memory,
    "tiff/chunk-limit-exceeded": memory,
    "out-of-memory": "close other programs, or use a machine with more memory",
    "jpeg/too-large": "write .png or .avif",
    "jpeg/not-lossless": "write .png or .avif",
    "tiff/too-large": "write .png or .avif",
    "exr/orientation-not-storable": "rotate the samples: --orientation bake",
    "gain-map/map-format-unsupported": "give the map as PNG, JPEG, HEIF or AVIF",
    "gain-map/map-has-alpha": "save it without alpha",
    "png/orientation-not-supported": "hdrconvert convert with the same --rotate and --flip",
    "metadata/not-storable": "HEIF and AVIF can store it: hdrconvert IN -o OUT.avif",
    "light/max-fall-above-max-cll": "--clli auto measures both",
    "location-not-removable": "drop the metadata as a whole: --drop exif, --drop xmp",
    "heif/item-truncated": "convert makes a new image of what is available; if only a gain map is "
      + "truncated, gainmap flatten drops it",
    "gain-map/not-in-png": "add --allow-reencode",
    "gain-map/metadata-missing":
      "give --metadata the JSON of 'gainmap extract', or a file that has a gain map",
    "gain-map/flavor-not-possible": "--flavors {usable,}",
    "gain-map/fit-too-far": "--flavors {usable,}",
    "gain-map/two-auxiliary-types": "--flavors iso,apple or --flavors iso,xmp",
    "missing-codec": "see which formats this build has: hdrconvert codecs",
    "raw/profiles-unnamed": "leave out the name",
    "raw/profile-unknown": "its profiles are {profiles}",
    "raw/matte-unknown": "the file has: {mattes}",
    "raw/no-preview": "hdrconvert inspect lists its images",
    "raw/no-color-matrix": "convert it with Adobe DNG Converter, which supports many cameras",
    "heif/sequence-truncated": "convert makes a new image of the rest",
  ]

  /// Remedies for files that cannot be developed, with and without a preview.
  private static let undecodable: Set<String> = [
    "raw/dng-version-unsupported", "raw/compression-unsupported", "raw/x-trans-too-small",
    "raw/libraw-unsupported", "raw/libraw-damaged",
  ]
  private static let preview =
    "its preview may be readable: hdrconvert extract IN -o preview.jpg --preview"
  private static let otherProgram = "another program, or the maker's own, may develop it"

  private static let memory = "raise --memory-limit if you trust this file"

  /// The remedy against an error; `nil` if its code has none.
  static func remedy(against error: ImageError, verb: String) -> String? {
    text(for: error).map { text in
      var text = text
      for (name, value) in error.parameters.values {
        text = text.replacing("{\(name)}", with: Self.text(value, separator: ", "))
        text = text.replacing("{\(name),}", with: Self.text(value, separator: ","))
      }
      text = text.replacing("VERB", with: verb)
      return text.about(file: error.location.file)
    }
  }

  private static func text(for error: ImageError) -> String? {
    let id = error.diagnosticCode.id
    if undecodable.contains(id) {
      return error.parameters["hasPreview"] == nil ? otherProgram : preview
    }
    let isEmpty = error.parameters.values.values.contains(.list([]))
    return isEmpty && byCode[id]?.contains("{") == true ? nil : byCode[id]
  }

  /// A parameter, and all entries of a list.
  private static func text(_ value: DiagnosticValue, separator: String) -> String {
    guard case .list(let entries) = value else {
      return DiagnosticTemplate("{value}").rendered(with: ["value": value])
    }
    return entries.map { text($0, separator: separator) }.joined(separator: separator)
  }
}
