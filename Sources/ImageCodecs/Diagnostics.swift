// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The diagnostics of this module: codes and English text.

extension ErrorCode {
  static let avifDecoderMissing = ErrorCode(
    "avif/decoder-missing", .missingCodec,
    "libavif: {detail}")
  static let avifDepthUnsupported = ErrorCode(
    "avif/depth-unsupported", .invalidArgument,
    "AV1 encodes integer samples of 8, 10 or 12 bits")
  static let avifEncoderMissing = ErrorCode(
    "avif/encoder-missing", .missingCodec,
    "this libavif was built without libaom")
  static let avifLimitExceeded = ErrorCode(
    "avif/limit-exceeded", .limitExceeded,
    "libavif: {detail}")
  static let encodeFloatUnsupported = ErrorCode(
    "encode/float-unsupported", .invalidArgument,
    "HEVC and AV1 encode integer samples, not floating point")
  static let encodeGridTooLarge = ErrorCode(
    "encode/grid-too-large", .invalidArgument,
    "an image of {size pixel} needs more than 256 tiles in a row or column")
  static let encodeItemMissing = ErrorCode(
    "encode/item-missing", .codecFailure,
    "the encoder did not write an item '{type}'")
  static let exrColorNotStorable = ErrorCode(
    "exr/color-not-storable", .invalidArgument,
    "OpenEXR stores linear values of known primaries, not CICP {cicp}")
  static let exrOrientationNotStorable = ErrorCode(
    "exr/orientation-not-storable", .invalidArgument,
    "OpenEXR does not store orientation")
  static let exrStraightHalf = ErrorCode(
    "exr/straight-half", .invalidArgument,
    "OpenEXR requires premultiplied alpha for half-float samples")
  static let gainMapMatrixUnsupported = ErrorCode(
    "gain-map/matrix-unsupported", .unsupported,
    "gain map samples of {matrix} cannot be decoded")
  static let gainMapSamplesUnsupported = ErrorCode(
    "gain-map/samples-unsupported", .unsupported,
    "gain maps with floating-point or CMYK samples are not supported")
  static let gainMapNotInFile = ErrorCode(
    "gain-map/not-in-file", .invalidArgument,
    "the file does not contain {place}")
  static let heifDepthUnsupported = ErrorCode(
    "heif/depth-unsupported", .invalidArgument,
    "HEVC images are written with 8, 10 or 12 bits")
  static let heifEncoderMissing = ErrorCode(
    "heif/encoder-missing", .missingCodec,
    "libheif does not provide an HEVC encoder")
  static let hevcWindowEmpty = ErrorCode(
    "hevc/window-empty", .malformed,
    "the conformance window removes the whole image")
  static let iccNotApplicable = ErrorCode(
    "icc/not-applicable", .malformed,
    "Little CMS cannot apply the ICC profile")
  static let iccNotForOutput = ErrorCode(
    "icc/not-for-output", .invalidArgument,
    "the ICC profile cannot be converted to; it is not an RGB profile of a printer or a display")
  static let itemFormatDiffers = ErrorCode(
    "item/format-differs", .malformed,
    "coded image of {bits bit} {chroma}, but its configuration specifies {declaredBits} "
      + "{declaredChroma}")
  static let itemSizeDiffers = ErrorCode(
    "item/size-differs", .malformed,
    "coded image of {coded pixel}, but 'ispe' specifies {declared}")
  static let jpegColorNotStorable = ErrorCode(
    "jpeg/color-not-storable", .invalidArgument,
    "JPEG stores 8-bit gray or Y'CbCr of BT.601 in full range")
  static let jpegComponentsUnknown = ErrorCode(
    "jpeg/components-unknown", .unsupported,
    "{count component} without a known color space")
  static let jpegFramesDiffer = ErrorCode(
    "jpeg/frames-differ", .malformed,
    "two frames of different size")
  static let jpegHeightUndefined = ErrorCode(
    "jpeg/height-undefined", .unsupported,
    "the height is only in a DNL marker after the samples")
  static let jpegNotLossless = ErrorCode(
    "jpeg/not-lossless", .invalidArgument,
    "JPEG is not lossless")
  static let jpegProcessUnsupported = ErrorCode(
    "jpeg/process-unsupported", .unsupported,
    "{bits bit} in coding process {process} are not supported")
  static let jpegTileUnsupported = ErrorCode(
    "jpeg/tile-unsupported", .unsupported,
    "{components component} of {bits bit} are not supported")
  static let jpegTooLarge = ErrorCode(
    "jpeg/too-large", .invalidArgument,
    "JPEG images have at most 65500 pixels per side")
  static let jpegXRColorNotStorable = ErrorCode(
    "jpegxr/color-not-storable", .invalidArgument,
    "JPEG XR is written with linear values of BT.709 primaries and straight alpha, not CICP {cicp}")
  static let libde265LimitExceeded = ErrorCode(
    "libde265/limit-exceeded", .limitExceeded,
    "libde265: {detail}")
  static let libde265Unsupported = ErrorCode(
    "libde265/unsupported", .unsupported,
    "libde265: {detail}")
  static let libraryDataTruncated = ErrorCode(
    "library-data-truncated", .truncated,
    "{library}: {detail}")
  static let libraryRejectedData = ErrorCode(
    "library-rejected-data", .malformed,
    "{library}: {detail}")
  static let libraryResultUnexpected = ErrorCode(
    "library-result-unexpected", .codecFailure,
    "{library} returned an unexpected result")
  static let outOfMemory = ErrorCode(
    "out-of-memory", .limitExceeded,
    "not enough memory for {library}")
  static let pngColorNotStorable = ErrorCode(
    "png/color-not-storable", .invalidArgument,
    "PNG stores RGB or gray integers with straight alpha, not {cicp}")
  static let pngInterlacedLimitExceeded = ErrorCode(
    "png/interlaced-limit-exceeded", .limitExceeded,
    "interlaced image of {size byte} exceeds the limit")
  static let radianceRepetitionTooLong = ErrorCode(
    "radiance/repetition-too-long", .malformed,
    "repetition of {count pixel} at column {column} exceeds the width of {width}")
  static let radianceRowLength = ErrorCode(
    "radiance/row-length", .malformed,
    "row length differs from the width of {width}")
  static let radianceRunTooLong = ErrorCode(
    "radiance/run-too-long", .malformed,
    "run of {count} exceeds the remaining {available sample}")
  static let samplesTruncated = ErrorCode(
    "samples-truncated", .truncated,
    "the coded samples are truncated")
  static let sourceOffsetInvalid = ErrorCode(
    "source/offset-invalid", .malformed,
    "offset {offset} is outside the file of {size byte}")
  static let sourceRangeInvalid = ErrorCode(
    "source/range-invalid", .malformed,
    "{size byte} exceed the file of {available byte}")
  static let tiffChunkLimitExceeded = ErrorCode(
    "tiff/chunk-limit-exceeded", .limitExceeded,
    "strips or tiles of {size byte} exceed the limit")
  static let tiffColorNotStorable = ErrorCode(
    "tiff/color-not-storable", .invalidArgument,
    "TIFF stores RGB or gray integers, not {cicp}")
  static let tiffIsDNG = ErrorCode("tiff/is-dng", .unsupported, "DNG files must be developed")
  static let tiffTagsContradict = ErrorCode(
    "tiff/tags-contradict", .malformed,
    "contradictory tags: libtiff finds {size pixel} of {channels sample} with {bits bit}")
  static let tiffTooLarge = ErrorCode(
    "tiff/too-large", .unsupported,
    "TIFF files are limited to 4 GiB")
}

extension NoticeCode {
  static let alphaResized = NoticeCode(
    "alpha/resized", .irregular,
    "alpha channel of {alpha} resized to {image pixel}")
  static let alphaUnreadable = NoticeCode(
    "alpha/unreadable", .dropped,
    "not copied: unreadable alpha channel: {cause}")
  static let auxiliaryTooMany = NoticeCode(
    "auxiliary/too-many", .dropped,
    "the image has {count auxiliary image}; the first {limit} are used")
  static let auxiliaryUnreadable = NoticeCode(
    "auxiliary/unreadable", .dropped,
    "not copied: unreadable auxiliary image: {cause}")
}
