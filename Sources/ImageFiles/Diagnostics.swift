// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// The diagnostics of this module that have a code, with their English text.

extension ErrorCode {
  static let bitsTruncated = ErrorCode(
    "bits-truncated", .truncated, "truncated: needs {needed bit}, {available bit} available")
  package static let bitstreamNoImage = ErrorCode(
    "bitstream/no-image", .truncated, "no complete {codec} image")
  static let inputIsFolder = ErrorCode("input-is-folder", .inputOutput, "the input is a folder")
  static let inputIsNotAFile = ErrorCode(
    "input-is-not-a-file", .inputOutput, "the input is a pipe or a device, not a file")
  /// The file does not exist.
  public static let inputNotFound = ErrorCode(
    "input-not-found", .missingInput, "cannot open: {detail}")
  package static let readFailed = ErrorCode("read-failed", .inputOutput, "cannot read: {detail}")
  package static let rawLibRawDamaged = ErrorCode(
    "raw/libraw-damaged", .malformed, "{library}: {detail}")
  package static let rawLibRawLimitExceeded = ErrorCode(
    "raw/libraw-limit-exceeded", .limitExceeded, "{library}: {detail}")
  package static let rawLibRawTruncated = ErrorCode(
    "raw/libraw-truncated", .truncated, "the file ends before its raw samples ({library})")
  package static let rawLibRawUnsupported = ErrorCode(
    "raw/libraw-unsupported", .unsupported,
    "{library}, installed here, does not know this camera or file ({detail}); later versions "
      + "know more"
  )
  package static let rawSamplesMissing = ErrorCode(
    "raw/samples-missing", .truncated, "the file does not contain raw samples ({library})")
  static let exrChunkLimitExceeded = ErrorCode(
    "exr/chunk-limit-exceeded", .limitExceeded,
    "chunks of {size pixel} with {channels channel} take {memory byte}; the limit is {limit "
      + "byte}")
  package static let jpegCoefficientLimitExceeded = ErrorCode(
    "jpeg/coefficient-limit-exceeded", .limitExceeded,
    "coefficients of {size byte} exceed the limit")
  static let jpegHDRBaseUnsupported = ErrorCode(
    "jpeg/hdr-base-unsupported", .invalidArgument,
    "JPEG has 8 bits, which are not sufficient for an HDR baseline image")
  static let jpegXRDataTruncated = ErrorCode(
    "jpegxr/data-truncated", .truncated, "the codestream ends at {end}, the file at {size}")
  static let exifLocationShared = ErrorCode(
    "exif/location-shared", .malformed, "the location shares bytes with other metadata")
  static let exifLocationUnreadable = ErrorCode(
    "exif/location-unreadable", .malformed, "the location is not readable")
}

extension NoticeCode {
  static let exrAttributesNotCopied = NoticeCode(
    "exr/attributes-not-copied", .dropped,
    "not copied: OpenEXR attributes ({attributes attribute})")
  package static let jpegEndMissing = NoticeCode(
    "jpeg/end-missing", .conflict, "the file ends without EOI; the image is complete")
  static let jpegStrayBytes = NoticeCode(
    "jpeg/stray-bytes", .irregular, "bytes outside of segments")
  static let mpfEntryWithoutImage = NoticeCode(
    "mpf/entry-without-image", .irregular, "an MPF entry does not refer to an image")
  static let jpegXRMatrixIgnored = NoticeCode(
    "jpegxr/matrix-ignored", .conflict,
    "ignored: {matrix} in PTM_COLOR_INFO; {format} does not contain Y'CbCr")
  static let jpegXRRangeIgnored = NoticeCode(
    "jpegxr/range-ignored", .conflict,
    "ignored: limited range in PTM_COLOR_INFO; {format} is full range")
  static let jpegXRTransformationUnknown = NoticeCode(
    "jpegxr/transformation-unknown", .irregular,
    "ignored: SPATIAL_XFRM_PRIMARY {value}; the image is shown as stored")
  static let radianceValueIgnored = NoticeCode(
    "radiance/value-ignored", .irregular, "ignored: {field} of {value}")
  package static let exifThumbnailDropped = NoticeCode(
    "exif/thumbnail-dropped", .dropped,
    "not copied: thumbnail in Exif (it would not match the image)")
  package static let exifThumbnailOverlaps = NoticeCode(
    "exif/thumbnail-overlaps", .irregular,
    "the thumbnail in Exif overlaps other entries; its bytes stay")
  package static let tiffByteCountIgnored = NoticeCode(
    "tiff/byte-count-ignored", .conflict, "ignored: byte count of {size}; the image is complete")
  static let tiffDirectoryUnreadable = NoticeCode(
    "tiff/directory-unreadable", .irregular, "directory ignored: {cause}")
  static let iccCICPPadded = NoticeCode(
    "icc/cicp-padded", .irregular, "16-byte form of Little CMS 2.14")
  package static let iccEmpty = NoticeCode("icc/empty", .irregular, "ignored: empty ICC profile")
  static let iccSizeDiffers = NoticeCode(
    "icc/size-differs", .irregular, "profile of {size byte}; its header specifies {declared}")
  static let iccTagDuplicate = NoticeCode("icc/tag-duplicate", .irregular, "duplicate tag ignored")
  static let iccTagOutOfRange = NoticeCode(
    "icc/tag-out-of-range", .irregular, "tag ignored: {length byte} at {offset} of {size}")
  static let iccTagsOverlap = NoticeCode("icc/tags-overlap", .irregular, "overlaps '{other}'")
}

// Codes of the diagnostics of the file model, with their English text.

extension ErrorCode {
  /// Metadata of files of this format cannot be changed without re-encoding.
  public static let formatNotEditable = ErrorCode(
    "container/not-editable", .unsuitable, "{format} files cannot be changed without re-encoding")
  static let containerUnsupported = ErrorCode(
    "container-unsupported", .unsupported, "not a HEIF, AVIF, PNG, JPEG or JPEG XL file")
  static let editLightInvalid = ErrorCode(
    "edit/light-invalid", .invalidArgument, "{field} takes {values}")
  /// This build does not include the codec of the format.
  public static let formatCodecMissing = ErrorCode(
    "format/codec-missing", .missingCodec, "this build does not include the {codec} codec")
  static let formatHasNoItems = ErrorCode(
    "format/has-no-items", .invalidArgument, "images of {format} files do not have item numbers")
  static let gainMapMapFormatUnsupported = ErrorCode(
    "gain-map/map-format-unsupported", .invalidArgument,
    "gain maps in {format} files are not supported")
  static let gainMapMapHasAlpha = ErrorCode(
    "gain-map/map-has-alpha", .invalidArgument, "the gain map image has an alpha channel")
  /// The file does not have an image of this index.
  public static let imageIndexInvalid = ErrorCode(
    "image-index-invalid", .invalidArgument,
    "image {number} does not exist; the file contains {count image}, counted from 0")
  static let imageUnknown = ErrorCode(
    "image/unknown", .invalidArgument,
    "the file does not have an image '{image}'; it has {images image}")
  static let locationNotRemovable = ErrorCode(
    "location-not-removable", .malformed,
    "location not removable from unreadable metadata: {cause}")
  static let metadataNotStorable = ErrorCode(
    "metadata/not-storable", .invalidArgument, "{container} cannot store {items item}")
  /// The bytes are of none of the formats that are read.
  public static let unrecognizedFormat = ErrorCode(
    "unrecognized-format", .malformed, "unrecognized image format")
}

extension NoticeCode {
  package static let gainMapNotDecodable = NoticeCode(
    "gain-map/not-decodable", .dropped,
    "dropped: gain map, which cannot be decoded: {cause}; this is the baseline image")
  static let inspectNotDecodable = NoticeCode(
    "inspect/not-decodable", .irregular, "cannot be decoded: {cause}")
  package static let libraryWarned = NoticeCode(
    "library-warned", .conflict, "{library} warns: {detail}")
  static let locationPartsDropped = NoticeCode(
    "location/parts-dropped", .dropped, "dropped: {items item} (a location in it, or not readable)")
  static let locationPartsNotRead = NoticeCode(
    "location/parts-not-read", .irregular,
    "not read: {items item} (kept; a location in it would remain)")
  static let metadataNotCopiedWithXMP = NoticeCode(
    "metadata/not-copied-with-xmp", .dropped,
    "not copied: {items item} (XMP of the input is not copied)")
  package static let metadataNotPortable = NoticeCode(
    "metadata/not-portable", .dropped, "not copied: {items item} ({format} cannot store it)")
  package static let metadataOfOldCoding = NoticeCode(
    "metadata/of-old-coding", .dropped,
    "not copied: {items item} (would not match the re-encoded image)")
  package static let metadataUnreadable = NoticeCode(
    "metadata/unreadable", .dropped, "unreadable metadata: {name}: {cause}")
  static let orientationRotatedByExif = NoticeCode(
    "orientation/rotated-by-exif", .irregular, "rotated with the orientation in Exif: {cause}")
  static let orientationVideoNotRotated = NoticeCode(
    "orientation/video-not-rotated", .irregular,
    "not rotated: video of the motion photo (it has its own orientation)")
  static let privacyVideoKept = NoticeCode(
    "privacy/video-kept", .irregular, "kept: video of the motion photo, without its metadata")
}

// The diagnostics of HEIF items: codes, categories and English messages.

extension ErrorCode {
  package static let hevcDepthsDiffer = ErrorCode(
    "hevc/depths-differ", .unsupported, "luma and chroma of different depths are not supported")
  static let itemUnknown = ErrorCode("item-unknown", .invalidArgument, "item {item} does not exist")
  static let itemPropertyRequired = ErrorCode(
    "item/property-required", .unsupported,
    "requires the property '{type}', which is not supported")
}

extension NoticeCode {
  static let bitstreamMessagesUnreadable = NoticeCode(
    "bitstream/messages-unreadable", .irregular, "not readable: messages in the bitstream: {cause}")
  static let channelCountDiffers = NoticeCode(
    "bitstream/channel-count-differs", .conflict,
    "'pixi' specifies {declared channel}, the bitstream {count}; using the bitstream")
  static let configurationDiffers = NoticeCode(
    "bitstream/configuration-differs", .conflict,
    "'{box}' specifies {declaredBits bit} {declaredChroma}, the bitstream {bits bit} {chroma}; "
      + "using the bitstream")
  static let heifMinimizedFormReplaced = NoticeCode(
    "heif/minimized-form-replaced", .dropped, "'mini' replaced by 'meta' in the new file")
  static let itemSizeScaled = NoticeCode(
    "item/size-scaled", .conflict,
    "'ispe' specifies {declared pixel}, the bitstream {coded}; the image is scaled to 'ispe'")
  static let lengthSizeDiffers = NoticeCode(
    "bitstream/length-size-differs", .conflict,
    "'hvcC' specifies lengths of {declared byte}, the bitstream {size byte}; using the bitstream")
}

// Codes of the ISOBMFF and HEIF diagnostics, with their English text.

extension ErrorCode {
  static let boxTruncated = ErrorCode(
    "box/truncated", .truncated,
    "truncated: box of {size byte}, of which the file has {available byte}")
  static let heifConfigurationMissing = ErrorCode(
    "heif/configuration-missing", .unsupported, "no configuration of HEVC or AV1")
  static let heifItemTruncated = ErrorCode(
    "heif/item-truncated", .truncated,
    "the file ends before the data of item {item} '{type}', which therefore cannot be kept")
  static let heifSequenceTruncated = ErrorCode(
    "heif/sequence-truncated", .truncated,
    "the file is truncated in '{box}'; the sequence cannot be kept")
  static let itemMissing = ErrorCode("item-missing", .malformed, "item {item} does not exist")
  static let itemDerivedFromItself = ErrorCode(
    "item/derived-from-itself", .malformed, "item {item} is derived from itself")
  static let itemFileTruncated = ErrorCode(
    "item/file-truncated", .truncated, "the file ends before the data of item {item} '{type}'")
}

extension NoticeCode {
  static let cr3BoxIgnored = NoticeCode("cr3/box-ignored", .irregular, "box ignored: {cause}")
  static let heifHandlerNotFirst = NoticeCode(
    "heif/handler-not-first", .irregular, "'hdlr' is not the first box")
  static let heifMinimizedFormRead = NoticeCode(
    "heif/minimized-form-read", .irregular,
    "minimized form ('mini'), read as the equivalent 'meta'")
  static let heifTrailingBytes = NoticeCode(
    "heif/trailing-bytes", .irregular, "{size byte} after the last box are not a box")
  static let heifTruncated = NoticeCode(
    "heif/truncated", .dropped, "truncated: {missing} of {size byte} of '{type}' missing")
  static let itemLocationWithoutItem = NoticeCode(
    "item/location-without-item", .irregular, "location of item {item}, which does not exist")
}

// Codes of the JPEG XL diagnostics, with their English text.

extension ErrorCode {
  static let brotliLimitExceeded = ErrorCode(
    "brotli/limit-exceeded", .limitExceeded, "the decompressed data exceed {limit byte}")
  static let jpegxlBoxTruncated = ErrorCode(
    "jpegxl/box-truncated", .truncated, "the file ends in the box '{type}', which cannot be kept")
  static let jpegxlCodePointsNotStorable = ErrorCode(
    "jpegxl/code-points-not-storable", .invalidArgument,
    "the color encoding of JPEG XL cannot store the code points {cicp}")
  static let jpegxlCodestreamMetadata = ErrorCode(
    "jpegxl/codestream-metadata", .invalidArgument,
    "the codestream of JPEG XL always declares its color, which cannot be removed, and an ICC "
      + "profile "
      + "only compressed")
  static let jpegxlColorInProfile = ErrorCode(
    "jpegxl/color-in-profile", .invalidArgument,
    "the color is an ICC profile that is compressed in the codestream")
  static let jpegxlColorOfXYB = ErrorCode(
    "jpegxl/color-of-xyb", .invalidArgument,
    "the samples are XYB, which specifies their color; code points do not change it")
  static let jpegxlFrameIncomplete = ErrorCode(
    "jpegxl/frame-incomplete", .truncated, "the file ends in a frame, which cannot be kept")
  static let jpegxlGainMapFlavors = ErrorCode(
    "jpegxl/gain-map-flavors", .invalidArgument,
    "JPEG XL stores gain map metadata of ISO 21496-1 only")
  static let jpegxlHeaderInvalid = ErrorCode(
    "jpegxl/header-invalid", .malformed, "the end of the codestream header cannot be determined")
}

extension NoticeCode {
  static let jpegxlFrameTruncated = NoticeCode(
    "jpegxl/frame-truncated", .dropped,
    "truncated: {missing} of {size byte} of frame {frame} missing")
  package static let jpegxlProfileUnreadable = NoticeCode(
    "jpegxl/profile-unreadable", .irregular, "the ICC profile of JPEG XL is not used: {cause}")
  static let jpegxlTruncated = NoticeCode(
    "jpegxl/truncated", .dropped, "truncated: {missing} of {size byte} of '{type}' missing")
}

// Codes of the PNG diagnostics, with their English text.

extension ErrorCode {
  static let pngChecksumMismatch = ErrorCode("png/checksum-mismatch", .malformed, "wrong checksum")
  static let pngChunkLimitExceeded = ErrorCode(
    "png/chunk-limit-exceeded", .limitExceeded, "{size byte} in one chunk")
  static let pngOrientationNotSupported = ErrorCode(
    "png/orientation-not-supported", .invalidArgument,
    "most readers ignore the orientation of PNG files; the samples must be rotated")
  package static let pngPaletteMissing = ErrorCode(
    "png/palette-missing", .malformed, "palette indices without a palette")
}

extension NoticeCode {
  static let pngChunkDuplicate = NoticeCode(
    "png/chunk-duplicate", .irregular, "duplicate chunk ignored")
  static let pngChunkTooLate = NoticeCode(
    "png/chunk-too-late", .irregular, "too late in the file: chunk ignored")
  package static let pngEndMissing = NoticeCode(
    "png/end-missing", .conflict, "the file ends without IEND; the image is complete")
  static let pngTrailingBytes = NoticeCode(
    "png/trailing-bytes", .irregular, "{size byte} after the end")
}

// The diagnostics of color and luminance: codes, categories and English messages.

extension ErrorCode {
  static let colorCMYK = ErrorCode("color/cmyk", .unsupported, "CMYK is not supported")
}

extension NoticeCode {
  static let colorBitstreamDiffers = NoticeCode(
    "color/bitstream-differs", .conflict,
    "'colr' specifies {container}, the bitstream {bitstream}; using 'colr'")
  static let colorCMYKNotDecodable = NoticeCode(
    "color/cmyk-not-decodable", .irregular, "CMYK is not supported")
  static let colorCodePointsIncomplete = NoticeCode(
    "color/code-points-incomplete", .conflict,
    "CICP {cicp} does not specify both primaries and transfer function; using the {next}")
  static let colorCodePointsReserved = NoticeCode(
    "color/code-points-reserved", .irregular, "ignored: {codes code point} (reserved by H.273)")
  package static let colorDeclared = NoticeCode(
    "color/declared", .conflict, "declared against the file: {values property}")
  static let colorPrimariesAssumed = NoticeCode(
    "color/primaries-assumed", .assumed,
    "assumed: BT.709 primaries (the file does not specify others)")
  static let colorProfileIgnored = NoticeCode(
    "color/profile-ignored", .irregular, "ignored: ICC profile: {cause}")
  static let colorProfileUnreadable = NoticeCode(
    "color/profile-unreadable", .irregular, "ignored: unreadable ICC profile: {cause}")
  static let colorRangeInferred = NoticeCode(
    "color/range-inferred", .assumed,
    "assumed: limited range (neither the file nor its HEVC bitstream specifies the range)")
  static let colorRGBSubsampled = NoticeCode(
    "color/rgb-subsampled", .irregular,
    "matrix 0 (RGB) with chroma {chroma}: blue and red are interpolated; if the colors are wrong, "
      + "the file declares the wrong matrix")
  static let colorSrgbOverridden = NoticeCode(
    "color/srgb-overridden", .conflict,
    "Exif or an sRGB chunk states sRGB; the ICC profile or CICP differs and is used")
  static let colorTransferRecognized = NoticeCode(
    "color/transfer-recognized", .assumed,
    "assumed: {transfer} (the curve of the ICC profile matches it)")
}

// Codes of the XMP diagnostics, with their English text.

extension ErrorCode {
  static let xmlExpected = ErrorCode("xml/expected", .malformed, "\"{literal}\" is missing")
  static let xmlLimitExceeded = ErrorCode(
    "xml/limit-exceeded", .limitExceeded,
    "{count element}, nested {depth} deep, {attributes attribute}")
  static let xmlNotTerminated = ErrorCode(
    "xml/not-terminated", .malformed, "{element} is not terminated")
  static let xmlSyntax = ErrorCode("xml/syntax", .malformed, "syntax error: {detail}")
  static let xmpExtendedMissing = ErrorCode(
    "xmp/extended-missing", .malformed, "extended XMP {identifier} is missing")
  static let xmpExtendedTruncated = ErrorCode(
    "xmp/extended-truncated", .malformed, "{size} of {needed byte}")
}

extension NoticeCode {
  static let xmpExtendedDigestMismatch = NoticeCode(
    "xmp/extended-digest-mismatch", .irregular, "the digest of the extended XMP does not match")
  static let xmpExtendedDropped = NoticeCode(
    "xmp/extended-dropped", .dropped,
    "dropped: extended XMP that cannot be assembled (it may contain a location)")
  static let xmpExtendedUnreadable = NoticeCode(
    "xmp/extended-unreadable", .dropped, "not readable: extended XMP: {cause}")
  package static let xmpOfOthersKept = NoticeCode(
    "xmp/of-others-kept", .irregular,
    "kept: XMP of the gain map, mattes or other images of the file")
  package static let xmpPropertiesKept = NoticeCode(
    "xmp/properties-kept", .irregular, "kept: {names property} (readers require them)")
  static let xmpUTF16 = NoticeCode("xmp/utf-16", .irregular, "UTF-16 read as UTF-8")
}
