// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of this module: codes, categories and English messages.

extension ErrorCode {
  static let colorManagementMissing = ErrorCode(
    "color/management-missing", .missingCodec,
    "this build does not include color management")
  static let containerUnsupported = ErrorCode(
    "container-unsupported", .unsupported,
    "not a HEIF, AVIF, PNG, JPEG or JPEG XL file")
  static let editCodedDataCountDiffers = ErrorCode(
    "edit/coded-data-count-differs", .codecFailure,
    "the edited file would contain a different number of coded images")
  static let editCodedDataDiffer = ErrorCode(
    "edit/coded-data-differ", .codecFailure,
    "the edited file would contain different coded data")
  static let exrChannelInvalid = ErrorCode(
    "exr/channel-invalid", .malformed,
    "invalid channel {name}: pixel type {type}, sampling {x}x{y}")
  static let exrChunkLimitExceeded = ErrorCode(
    "exr/chunk-limit-exceeded", .limitExceeded,
    "chunks of {size pixel} with {channels channel} take {memory byte}; the limit is {limit "
      + "byte}")
  static let exrChunksTruncated = ErrorCode(
    "exr/chunks-truncated", .truncated,
    "{count chunk} declared; a file of {size byte} cannot contain them")
  static let exrDeepData = ErrorCode(
    "exr/deep-data", .unsupported,
    "deep images are not supported")
  static let exrNoColorChannels = ErrorCode(
    "exr/no-color-channels", .unsupported,
    "no layer has R, G and B, or Y; channels: {channels channel}")
  static let formatCodecMissing = ErrorCode(
    "format/codec-missing", .missingCodec,
    "this build does not include the {codec} codec")
  static let gainMapMapFormatUnsupported = ErrorCode(
    "gain-map/map-format-unsupported", .invalidArgument,
    "gain maps in {format} files are not supported")
  static let gainMapMapHasAlpha = ErrorCode(
    "gain-map/map-has-alpha", .invalidArgument,
    "the gain map image has an alpha channel")
  static let gainMapMapWithoutFile = ErrorCode(
    "gain-map/map-without-file", .invalidArgument,
    "an image in memory cannot be the gain map; an image of a file is required")
  static let imageIndexInvalid = ErrorCode(
    "image-index-invalid", .invalidArgument,
    "image {number} does not exist; the file contains {count image}, counted from 0")
  static let imageIsOnly = ErrorCode(
    "image/is-only", .invalidArgument,
    "the file does not have an image '{image}'; it has one image, 1")
  static let imageUnknown = ErrorCode(
    "image/unknown", .invalidArgument,
    "the file does not have an image '{image}'; it has {images image}")
  package static let jpegCoefficientLimitExceeded = ErrorCode(
    "jpeg/coefficient-limit-exceeded", .limitExceeded,
    "coefficients of {size byte} exceed the limit")
  static let jpegHDRBaseUnsupported = ErrorCode(
    "jpeg/hdr-base-unsupported", .invalidArgument,
    "JPEG has 8 bits, which are not sufficient for an HDR baseline image")
  static let jpegNotBlockAligned = ErrorCode(
    "jpeg/not-block-aligned", .unsupported,
    "JPEG {side} of {size pixel} is not a multiple of {block}")
  static let jpegNotRotatable = ErrorCode(
    "jpeg/not-rotatable", .unsupported,
    "lossless rotation does not support this JPEG coding process or bit depth")
  static let locationNotRemovable = ErrorCode(
    "location-not-removable", .malformed,
    "location not removable from unreadable metadata: {cause}")
  static let metadataGivenInvalid = ErrorCode(
    "metadata/given-invalid", .invalidArgument,
    "given {item}: {cause}")
  static let metadataNotStorable = ErrorCode(
    "metadata/not-storable", .invalidArgument,
    "{container} cannot store {items item}")
  static let pngCICPNotStorable = ErrorCode(
    "png/cicp-not-storable", .invalidArgument,
    "PNG stores code points of one byte each, not {cicp}")
  static let pngHasNoItems = ErrorCode(
    "png/has-no-items", .invalidArgument,
    "a PNG file has one image and no items")
  static let pngOrientationNotSupported = ErrorCode(
    "png/orientation-not-supported", .invalidArgument,
    "most readers ignore the orientation of PNG files; the samples must be rotated")
  static let rawHeadersUnsupported = ErrorCode(
    "raw/headers-unsupported", .unsupported,
    "camera raw file whose headers only its decoder reads")
  package static let rawLibRawDamaged = ErrorCode(
    "raw/libraw-damaged", .malformed, "{library}: {detail}")
  package static let rawLibRawLimitExceeded = ErrorCode(
    "raw/libraw-limit-exceeded", .limitExceeded,
    "{library}: {detail}")
  package static let rawLibRawTruncated = ErrorCode(
    "raw/libraw-truncated", .truncated, "the file ends before its raw samples ({library})")
  package static let rawLibRawUnsupported = ErrorCode(
    "raw/libraw-unsupported", .unsupported,
    "{library}: {detail}")
  package static let rawSamplesMissing = ErrorCode(
    "raw/samples-missing", .truncated,
    "the file does not contain raw samples ({library})")
  static let tiffChunkTruncated = ErrorCode(
    "tiff/chunk-truncated", .truncated,
    "{size byte}; its samples require {needed}")
  static let tiffColorMapSize = ErrorCode(
    "tiff/color-map-size", .malformed,
    "a color map of {count value} for {bits bit}")
  static let tiffColorUnsupported = ErrorCode(
    "tiff/color-unsupported", .unsupported,
    "{color} (photometric interpretation {number}) with compression {compression} is not "
      + "supported")
  static let tiffMetadataLimitExceeded = ErrorCode(
    "tiff/metadata-limit-exceeded", .limitExceeded,
    "metadata of more than {limit byte}")
  static let tiffNoImage = ErrorCode("tiff/no-image", .malformed, "no directory describes an image")
  static let tiffSamplesPerPixel = ErrorCode(
    "tiff/samples-per-pixel", .malformed,
    "{count sample} per pixel where {needed} are needed")
  static let tiffSamplesTruncated = ErrorCode(
    "tiff/samples-truncated", .truncated,
    "samples end at {end}, the file at {size}")
  static let tiffSampleTypeUnsupported = ErrorCode(
    "tiff/sample-type-unsupported", .unsupported,
    "{type} samples of {bits bit} are not supported")
  package static let unrecognizedFormat = ErrorCode(
    "unrecognized-format", .malformed,
    "unrecognized image format")
}

extension NoticeCode {
  static let exifOrientationKept = NoticeCode(
    "exif/orientation-kept", .irregular,
    "kept: orientation in Exif")
  static let exrAttributesNotCopied = NoticeCode(
    "exr/attributes-not-copied", .dropped,
    "not copied: OpenEXR attributes ({attributes attribute})")
  static let exrChannelAsGray = NoticeCode(
    "exr/channel-as-gray", .assumed,
    "assumed: channel {channel} is gray")
  static let exrChannelsNotRead = NoticeCode(
    "exr/channels-not-read", .dropped,
    "not read: {items item}")
  static let exrLayerAssumed = NoticeCode(
    "exr/layer-assumed", .assumed,
    "assumed: layer {layer} (no default layer)")
  static let exrPixelAspectDropped = NoticeCode(
    "exr/pixel-aspect-dropped", .dropped,
    "dropped: pixel aspect ratio {ratio}")
  package static let gainMapNotDecodable = NoticeCode(
    "gain-map/not-decodable", .dropped,
    "dropped: gain map, which cannot be decoded: {cause}; this is the baseline image")
  static let inspectImagesOmitted = NoticeCode(
    "inspect/images-omitted", .dropped,
    "{count further image} not described")
  static let inspectNotDecodable = NoticeCode(
    "inspect/not-decodable", .irregular,
    "cannot be decoded: {cause}")
  package static let libraryWarned = NoticeCode(
    "library-warned", .conflict,
    "{library} warns: {detail}")
  static let locationPartsDropped = NoticeCode(
    "location/parts-dropped", .dropped,
    "dropped: {items item} (a location in it, or not readable)")
  static let locationPartsNotRead = NoticeCode(
    "location/parts-not-read", .irregular,
    "not read: {items item} (kept; a location in it would remain)")
  static let metadataNotPortable = NoticeCode(
    "metadata/not-portable", .dropped,
    "not copied: {items item} ({format} cannot store it)")
  static let metadataOfOldCoding = NoticeCode(
    "metadata/of-old-coding", .dropped,
    "not copied: {items item} (would not match the re-encoded image)")
  package static let metadataUnreadable = NoticeCode(
    "metadata/unreadable", .dropped,
    "unreadable metadata: {name}: {cause}")
  static let orientationDepthNotRotated = NoticeCode(
    "orientation/depth-not-rotated", .irregular,
    "not rotated: depth map in XMP (GDepth); it no longer matches the image")
  static let orientationRotatedByExif = NoticeCode(
    "orientation/rotated-by-exif", .irregular,
    "rotated with the orientation in Exif: {cause}")
  static let orientationVideoNotRotated = NoticeCode(
    "orientation/video-not-rotated", .irregular,
    "not rotated: video of the motion photo (it has its own orientation)")
  static let pngChunkUnreadable = NoticeCode(
    "png/chunk-unreadable", .irregular,
    "chunk ignored: {cause}")
  static let pngFramesDropped = NoticeCode(
    "png/frames-dropped", .dropped,
    "dropped: frames of the animation")
  static let pngMatrixWrittenAsRGB = NoticeCode(
    "png/matrix-written-as-rgb", .dropped,
    "matrix {matrix} written as 0 (PNG stores RGB)")
  static let pngMDCVWithoutCICP = NoticeCode(
    "png/mdcv-without-cicp", .nonconforming,
    "readers ignore mDCV without cICP (PNG Third Edition, 11.3.2.7)")
  static let pngPaletteIndex = NoticeCode(
    "png/palette-index", .irregular,
    "palette indices are out of range ({count color}); their pixels are black")
  static let pngSrgbDropped = NoticeCode(
    "png/srgb-dropped", .dropped,
    "dropped: sRGB chunk (not allowed together with an ICC profile)")
  static let privacyVideoKept = NoticeCode(
    "privacy/video-kept", .irregular,
    "kept: video of the motion photo, without its metadata")
  static let radianceValueIgnored = NoticeCode(
    "radiance/value-ignored", .irregular,
    "ignored: {field} of {value}")
  static let tiffAlphaAssumed = NoticeCode(
    "tiff/alpha-assumed", .assumed,
    "assumed: the fourth sample is premultiplied alpha")
  package static let tiffByteCountIgnored = NoticeCode(
    "tiff/byte-count-ignored", .conflict,
    "ignored: byte count of {size}; the image is complete")
  static let tiffExtraSamplesDropped = NoticeCode(
    "tiff/extra-samples-dropped", .dropped,
    "dropped: {count extra sample} per pixel")
  static let tiffPagesDropped = NoticeCode(
    "tiff/pages-dropped", .dropped,
    "dropped: {count further page}")
  static let tiffSamplesMissing = NoticeCode(
    "tiff/samples-missing", .dropped,
    "samples are not in the file")
  static let tiffTileUnpadded = NoticeCode(
    "tiff/tile-unpadded", .conflict,
    "not padded to {size pixel}; the image is complete")
  static let xmpExtendedDropped = NoticeCode(
    "xmp/extended-dropped", .dropped,
    "dropped: extended XMP that cannot be assembled (it may contain a location)")
}
