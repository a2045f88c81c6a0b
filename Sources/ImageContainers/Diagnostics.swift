package import HDRCore

// The diagnostics of this module: their codes, and their English, which stands nowhere else.

extension ErrorCode {
  static let bitsTruncated = ErrorCode(
    "bits-truncated", .truncated,
    "needs {needed bit}, {available} available")
  package static let bitstreamNoImage = ErrorCode(
    "bitstream/no-image", .truncated,
    "no complete {codec} image")
  static let boxSmallerThanHeader = ErrorCode(
    "box/smaller-than-header", .malformed,
    "box of {size byte} is smaller than its header")
  static let boxTruncated = ErrorCode(
    "box/truncated", .truncated,
    "box of {size byte}, {available} available")
  static let boxUnexpected = ErrorCode(
    "box/unexpected", .malformed,
    "box '{type}' where '{expected}' is expected")
  static let chunksTruncated = ErrorCode(
    "chunks-truncated", .truncated,
    "chunks end at byte {end} of {size}")
  static let containerItemInvalid = ErrorCode(
    "container-item-invalid", .invalidArgument,
    "item {index} of {count}")
  static let deflateLimitExceeded = ErrorCode(
    "deflate/limit-exceeded", .limitExceeded,
    "inflates to more than {limit byte}")
  static let deflateMalformed = ErrorCode(
    "deflate/malformed", .malformed,
    "compressed data are corrupt (zlib status {status})")
  static let deflateTruncated = ErrorCode(
    "deflate/truncated", .truncated,
    "compressed data are truncated")
  static let emptyCodedImage = ErrorCode(
    "empty-coded-image", .malformed,
    "coded image of {width}x{height} samples")
  static let exifHeaderMissing = ErrorCode(
    "exif/header-missing", .malformed,
    "no TIFF header in {size byte}")
  static let exifLocationShared = ErrorCode(
    "exif/location-shared", .malformed,
    "the location shares bytes with other metadata")
  static let exifLocationUnreadable = ErrorCode(
    "exif/location-unreadable", .malformed,
    "the location is not readable")
  static let exifTooLarge = ErrorCode(
    "exif/too-large", .limitExceeded,
    "Exif is too large to extend")
  static let fileShrank = ErrorCode(
    "file-shrank", .inputOutput,
    "the file became shorter while it was read")
  static let fileTruncated = ErrorCode(
    "file-truncated", .truncated,
    "needs the bytes up to {end}, the file has {size}")
  static let heifConfigurationMissing = ErrorCode(
    "heif/configuration-missing", .unsupported,
    "no configuration of HEVC or AV1")
  static let heifFragmentedSequence = ErrorCode(
    "heif/fragmented-sequence", .unsupported,
    "fragmented sequences cannot be written")
  static let heifHandlerUnsupported = ErrorCode(
    "heif/handler-unsupported", .unsupported,
    "'meta' has the handler '{handler}', not 'pict'")
  static let heifItemTruncated = ErrorCode(
    "heif/item-truncated", .truncated,
    "the file ends before the data of item {item} '{type}', which therefore cannot be kept")
  static let heifMetaTooLarge = ErrorCode(
    "heif/meta-too-large", .invalidArgument,
    "'meta' of {size byte} or more")
  static let heifMinimizedAlphaUnsupported = ErrorCode(
    "heif/minimized-alpha-unsupported", .unsupported,
    "alpha in the coded image of a minimized file is not supported")
  static let heifMinimizedFloatUnsupported = ErrorCode(
    "heif/minimized-float-unsupported", .unsupported,
    "floating-point samples in a minimized file are not supported")
  static let heifNotAStillImage = ErrorCode(
    "heif/not-a-still-image", .unsupported,
    "no 'meta' box: not a still image")
  static let heifNotSerializable = ErrorCode(
    "heif/not-serializable", .invalidArgument,
    "HEIF cannot store {detail}")
  static let heifSequenceOffsetTooLarge = ErrorCode(
    "heif/sequence-offset-too-large", .unsupported,
    "an offset of the sequence does not fit its field")
  static let heifSequenceTruncated = ErrorCode(
    "heif/sequence-truncated", .truncated,
    "the file is truncated in '{box}'; the sequence cannot be kept")
  static let heifTooManyProperties = ErrorCode(
    "heif/too-many-properties", .invalidArgument,
    "{count} different properties")
  static let hevcConfigurationNotStorable = ErrorCode(
    "hevc/configuration-not-storable", .unsupported,
    "'hvcC' cannot store {bits bit} with {layers temporal layer}")
  static let hevcConformanceWindowEmpty = ErrorCode(
    "hevc/conformance-window-empty", .malformed,
    "the conformance window removes all of {width}x{height} samples")
  static let hevcNALUnitMissing = ErrorCode(
    "hevc/nal-unit-missing", .malformed,
    "HEVC NAL unit of type {type} is missing")
  static let hevcNALUnitWithoutProfile = ErrorCode(
    "hevc/nal-unit-without-profile", .invalidArgument,
    "HEVC NAL units of type {type} have no profile")
  static let hevcParameterSetTruncated = ErrorCode(
    "hevc/parameter-set-truncated", .truncated,
    "HEVC parameter set of {size byte}")
  static let hevcTooManyParameterSets = ErrorCode(
    "hevc/too-many-parameter-sets", .malformed,
    "more parameter sets than 'hvcC' can store")
  static let iccCurveTruncated = ErrorCode(
    "icc/curve-truncated", .truncated,
    "curve of {count sample} exceeds its tag")
  static let iccNotDescribable = ErrorCode(
    "icc/not-describable", .unsupported,
    "an ICC profile cannot describe {cicp}")
  static let iccProfileTruncated = ErrorCode(
    "icc/profile-truncated", .truncated,
    "profile of {size byte}, {available} available")
  static let iccTagsTruncated = ErrorCode(
    "icc/tags-truncated", .truncated,
    "{count tag} in {available byte}")
  static let inputIsFolder = ErrorCode("input-is-folder", .inputOutput, "the input is a folder")
  static let inputIsNotAFile = ErrorCode(
    "input-is-not-a-file", .inputOutput,
    "the input is a pipe or a device, not a file")
  static let inputNotFound = ErrorCode("input-not-found", .missingInput, "cannot open: {detail}")
  static let inputNotReadable = ErrorCode(
    "input-not-readable", .inputOutput,
    "cannot open: {detail}")
  static let itemMissing = ErrorCode("item-missing", .malformed, "item {item} does not exist")
  static let itemConstructionUnsupported = ErrorCode(
    "item/construction-unsupported", .unsupported,
    "construction method {method} of item {item}")
  static let itemDataExternal = ErrorCode(
    "item/data-external", .unsupported,
    "the data of item {item} are in another file")
  static let itemDataTruncated = ErrorCode(
    "item/data-truncated", .truncated,
    "{size byte} of item data in a file of {available}")
  static let itemDerivedFromItself = ErrorCode(
    "item/derived-from-itself", .malformed,
    "item {item} is derived from itself")
  static let itemExtentInvalid = ErrorCode(
    "item/extent-invalid", .malformed,
    "item {item} has {length byte} at {offset}")
  static let itemExtentOutOfRange = ErrorCode(
    "item/extent-out-of-range", .malformed,
    "{length byte} at {offset} of an item of {size byte}")
  static let itemFileTruncated = ErrorCode(
    "item/file-truncated", .truncated,
    "the file ends before the data of item {item} '{type}'")
  static let itemIDATMissing = ErrorCode(
    "item/idat-missing", .malformed,
    "item {item} is stored in 'idat', which does not exist")
  static let itemIDATTooShort = ErrorCode(
    "item/idat-too-short", .malformed,
    "item {item} ends at {end} of {size byte} in 'idat'")
  static let itemNotStandalone = ErrorCode(
    "item/not-standalone", .invalidArgument,
    "an item of type '{type}' is not an image on its own")
  static let itemOffsetInvalid = ErrorCode(
    "item/offset-invalid", .malformed,
    "base {base} and offset {offset} of item {item}")
  static let itemPropertyMissing = ErrorCode(
    "item/property-missing", .malformed,
    "item {item} has property {index} of {count}")
  static let itemReferenceMissing = ErrorCode(
    "item/reference-missing", .malformed,
    "item {item} uses reference {number} of {count}")
  static let itemWithoutData = ErrorCode("item/without-data", .malformed, "item {item} has no data")
  static let jpegFrameInvalid = ErrorCode(
    "jpeg/frame-invalid", .malformed,
    "frame of {width}x{height} pixels with {components component}")
  static let jpegNestedImage = ErrorCode(
    "jpeg/nested-image", .malformed,
    "an image starts inside another image")
  static let jpegNoEnd = ErrorCode("jpeg/no-end", .truncated, "ends before EOI")
  static let jpegProfileTooLarge = ErrorCode(
    "jpeg/profile-too-large", .invalidArgument,
    "an ICC profile of {size byte} does not fit JPEG segments")
  static let jpegSegmentTooLarge = ErrorCode(
    "jpeg/segment-too-large", .invalidArgument,
    "{kind} of {size byte}; a segment stores {limit}")
  static let jpegxlBoxTypeMissing = ErrorCode(
    "jpegxl/box-type-missing", .truncated,
    "compressed box without a type")
  static let jpegxlPartNumberMissing = ErrorCode(
    "jpegxl/part-number-missing", .truncated,
    "part of the codestream without a number")
  static let mpfValueTooLarge = ErrorCode(
    "mpf/value-too-large", .limitExceeded,
    "{value byte} do not fit a field of the multi-picture directory")
  static let pngChecksumMismatch = ErrorCode("png/checksum-mismatch", .malformed, "wrong checksum")
  static let pngChunkLimitExceeded = ErrorCode(
    "png/chunk-limit-exceeded", .limitExceeded,
    "{size byte} in one chunk")
  static let pngChunkTooLong = ErrorCode(
    "png/chunk-too-long", .malformed,
    "chunk of {size byte}; the limit is 2147483647")
  static let pngColorTypeInvalid = ErrorCode(
    "png/color-type-invalid", .malformed,
    "color type {type} with {bits bit}")
  static let pngCriticalChunkUnknown = ErrorCode(
    "png/critical-chunk-unknown", .unsupported,
    "unknown critical chunk")
  static let pngDataNotContiguous = ErrorCode(
    "png/data-not-contiguous", .malformed,
    "data chunks are not contiguous")
  static let pngHeaderNotFirst = ErrorCode(
    "png/header-not-first", .malformed,
    "the first chunk is not IHDR")
  static let pngMethodUnsupported = ErrorCode(
    "png/method-unsupported", .unsupported,
    "compression {compression}, filter method {filter}, interlace method {interlace}")
  static let pngNoEnd = ErrorCode(
    "png/no-end", .truncated,
    "ends before IEND: needs 12 bytes, {available} available")
  static let pngPaletteMisplaced = ErrorCode(
    "png/palette-misplaced", .malformed,
    "duplicate or late palette")
  static let pngPaletteMissing = ErrorCode(
    "png/palette-missing", .malformed,
    "palette indices without a palette")
  static let pngProfileNameInvalid = ErrorCode(
    "png/profile-name-invalid", .invalidArgument,
    "\"{name}\" is not a valid name of a PNG profile")
  static let providerFailed = ErrorCode(
    "provider-failed", .inputOutput,
    "{available byte} provided, {needed} asked for")
  static let readFailed = ErrorCode("read-failed", .inputOutput, "cannot read: {detail}")
  static let st2094AlternateOutOfOrder = ErrorCode(
    "st2094/alternate-out-of-order", .malformed,
    "alternate at {stops stop} is out of order")
  static let st2094ReaderVersion = ErrorCode(
    "st2094/reader-version", .unsupported,
    "requires a reader of version {version}; version 0 is supported")
  static let st2094TooManyAlternates = ErrorCode(
    "st2094/too-many-alternates", .invalidArgument,
    "{count alternate}; ST 2094-50 stores {limit}")
  static let stringNotTerminated = ErrorCode(
    "string-not-terminated", .truncated,
    "a string is not terminated")
  static let tiffCyclic = ErrorCode("tiff/cyclic", .malformed, "cyclic chain of directories")
  static let tiffDirectoryCountMissing = ErrorCode(
    "tiff/directory-count-missing", .truncated,
    "directory without an entry count")
  static let tiffDirectoryOutOfRange = ErrorCode(
    "tiff/directory-out-of-range", .truncated,
    "directory at {offset} of a file of {size byte}")
  static let tiffDirectoryTruncated = ErrorCode(
    "tiff/directory-truncated", .truncated,
    "directory of {count entry}, {available byte} available")
  static let tiffNotNumbers = ErrorCode("tiff/not-numbers", .malformed, "values are not numbers")
  static let tiffNotUnsignedIntegers = ErrorCode(
    "tiff/not-unsigned-integers", .malformed,
    "values are not unsigned integers")
  static let tiffTypeUnknown = ErrorCode("tiff/type-unknown", .unsupported, "unknown type of value")
  static let tiffVersionInvalid = ErrorCode(
    "tiff/version-invalid", .malformed,
    "TIFF version {version}, not 42 or 43")
  static let valueAboveLimit = ErrorCode(
    "value-above-limit", .malformed,
    "{field} is {value}; the limit is {limit}")
  static let xmlDocumentType = ErrorCode(
    "xml/document-type", .malformed,
    "a document type declaration is not allowed in XMP")
  static let xmlEndTagUnexpected = ErrorCode(
    "xml/end-tag-unexpected", .malformed,
    "end tag without a start tag")
  static let xmlExpected = ErrorCode("xml/expected", .malformed, "\"{literal}\" is missing")
  static let xmlLimitExceeded = ErrorCode(
    "xml/limit-exceeded", .limitExceeded,
    "{count element}, nested {depth} deep, {attributes attribute}")
  static let xmlNameInvalid = ErrorCode("xml/name-invalid", .malformed, "\"{name}\" is not a name")
  static let xmlNotTerminated = ErrorCode(
    "xml/not-terminated", .malformed,
    "{element} is not terminated")
  static let xmlPrefixUndeclared = ErrorCode(
    "xml/prefix-undeclared", .malformed,
    "prefix \"{prefix}\" is not declared")
  static let xmlReferenceUnknown = ErrorCode(
    "xml/reference-unknown", .malformed,
    "unknown reference")
  static let xmlSyntax = ErrorCode("xml/syntax", .malformed, "syntax error: {detail}")
  static let xmlTextOutsideRoot = ErrorCode(
    "xml/text-outside-root", .malformed,
    "text outside of the root element")
  static let xmpExtendedMissing = ErrorCode(
    "xmp/extended-missing", .malformed,
    "extended XMP {identifier} is missing")
  static let xmpExtendedTruncated = ErrorCode(
    "xmp/extended-truncated", .malformed,
    "{size} of {needed byte}")
  static let xmpRDFWithoutPrefix = ErrorCode(
    "xmp/rdf-without-prefix", .unsupported,
    "RDF without a prefix")
  static let xmpTooLarge = ErrorCode(
    "xmp/too-large", .invalidArgument,
    "an XMP packet of {size byte} does not fit JPEG segments")
}

extension NoticeCode {
  static let cr3BoxIgnored = NoticeCode("cr3/box-ignored", .irregular, "box ignored: {cause}")
  static let exifCompressed = NoticeCode(
    "exif/compressed", .irregular,
    "compressed Exif is not read")
  static let exifThumbnailDropped = NoticeCode(
    "exif/thumbnail-dropped", .lost,
    "not copied: thumbnail in Exif (it would not match the image)")
  static let exifThumbnailOverlaps = NoticeCode(
    "exif/thumbnail-overlaps", .irregular,
    "the thumbnail in Exif overlaps other entries; its bytes stay")
  static let heifHandlerNotFirst = NoticeCode(
    "heif/handler-not-first", .irregular,
    "'hdlr' is not the first box")
  static let heifMinimizedFormRead = NoticeCode(
    "heif/minimized-form-read", .irregular,
    "minimized form ('mini'), read as the equivalent 'meta'")
  static let heifSceneReferredNotStorable = NoticeCode(
    "heif/scene-referred-not-storable", .lost,
    "not stored: scene-referred image state (in HEIF it requires an ICC profile)")
  static let heifTrailingBytes = NoticeCode(
    "heif/trailing-bytes", .irregular,
    "{size byte} after the last box are not a box")
  static let heifTruncated = NoticeCode(
    "heif/truncated", .irregular,
    "truncated: {missing} of {size byte} of '{type}' missing")
  static let heifTruncatedItems = NoticeCode(
    "heif/truncated-items", .irregular,
    "truncated: {missing} of {size byte} of '{type}' missing, with data of {items item}")
  static let iccChunkMissing = NoticeCode(
    "icc/chunk-missing", .irregular,
    "ICC profile ignored: chunk {number} of {count} is missing")
  static let iccCICPMatrixInvalid = NoticeCode(
    "icc/cicp-matrix-invalid", .irregular,
    "tag ignored: matrix {matrix} for RGB")
  static let iccCICPPadded = NoticeCode(
    "icc/cicp-padded", .irregular,
    "16-byte form of Little CMS 2.14")
  static let iccCICPSizeInvalid = NoticeCode(
    "icc/cicp-size-invalid", .irregular,
    "tag ignored: {size byte}")
  static let iccSizeDiffers = NoticeCode(
    "icc/size-differs", .irregular,
    "profile of {size byte}; its header specifies {declared}")
  static let iccTagDuplicate = NoticeCode("icc/tag-duplicate", .irregular, "duplicate tag ignored")
  static let iccTagOutOfRange = NoticeCode(
    "icc/tag-out-of-range", .irregular,
    "tag ignored: {length byte} at {offset} of {size}")
  static let iccTagsOverlap = NoticeCode("icc/tags-overlap", .irregular, "overlaps '{other}'")
  static let itemLocationWithoutItem = NoticeCode(
    "item/location-without-item", .irregular,
    "location of item {item}, which does not exist")
  static let itemPropertyUnreadable = NoticeCode(
    "item/property-unreadable", .irregular,
    "'{type}' of item {item} is not readable: {cause}")
  static let jpegImageUnreadable = NoticeCode(
    "jpeg/image-unreadable", .irregular,
    "not readable: additional image: {cause}")
  static let jpegStrayBytes = NoticeCode(
    "jpeg/stray-bytes", .irregular,
    "bytes outside of segments")
  static let jpegxlCodestreamDuplicate = NoticeCode(
    "jpegxl/codestream-duplicate", .irregular,
    "duplicate codestream ignored")
  static let jpegxlPartOutOfOrder = NoticeCode(
    "jpegxl/part-out-of-order", .irregular,
    "part {number} of the codestream in place of {expected}")
  static let metadataPropertyIgnored = NoticeCode(
    "metadata/property-ignored", .irregular,
    "ignored: {cause}")
  static let mpfEntryWithoutImage = NoticeCode(
    "mpf/entry-without-image", .irregular,
    "an MPF entry does not refer to an image")
  static let mpfUnreadable = NoticeCode("mpf/unreadable", .irregular, "not readable: MPF: {cause}")
  static let pngChunkChecksumMismatch = NoticeCode(
    "png/chunk-checksum-mismatch", .irregular,
    "wrong checksum: chunk ignored")
  static let pngChunkDuplicate = NoticeCode(
    "png/chunk-duplicate", .irregular,
    "duplicate chunk ignored")
  static let pngChunkIgnored = NoticeCode("png/chunk-ignored", .irregular, "chunk ignored: {cause}")
  static let pngChunkTooLate = NoticeCode(
    "png/chunk-too-late", .irregular,
    "too late in the file: chunk ignored")
  static let pngLightNotStorable = NoticeCode(
    "png/light-not-storable", .lost,
    "not stored: {item} (PNG cannot store it)")
  static let pngMatrixReadAsRGB = NoticeCode(
    "png/matrix-read-as-rgb", .irregular,
    "matrix {matrix} read as 0 (PNG stores RGB)")
  static let pngPQFromProfileName = NoticeCode(
    "png/pq-from-profile-name", .assumed,
    "transfer function BT.2100 PQ, assumed from the name of the profile")
  static let pngTrailingBytes = NoticeCode(
    "png/trailing-bytes", .irregular,
    "{size byte} after the end")
  static let tiffDirectoryUnreadable = NoticeCode(
    "tiff/directory-unreadable", .irregular,
    "directory ignored: {cause}")
  static let xmpCompressed = NoticeCode("xmp/compressed", .irregular, "compressed XMP is not read")
  static let xmpDiffuseWhiteInvalid = NoticeCode(
    "xmp/diffuse-white-invalid", .irregular,
    "ignored: DiffuseWhite {value} is not a luminance")
  static let xmpExtendedDigestMismatch = NoticeCode(
    "xmp/extended-digest-mismatch", .irregular,
    "the digest of the extended XMP does not match")
  static let xmpExtendedUnreadable = NoticeCode(
    "xmp/extended-unreadable", .lost,
    "not readable: extended XMP: {cause}")
  static let xmpIgnored = NoticeCode("xmp/ignored", .irregular, "ignored: XMP: {cause}")
  static let xmpPropertiesKept = NoticeCode(
    "xmp/properties-kept", .irregular,
    "kept: {names property} (readers require them)")
  static let xmpSeveralPackets = NoticeCode(
    "xmp/several-packets", .irregular,
    "{count XMP packet}; the first is used")
  static let xmpUTF16 = NoticeCode("xmp/utf-16", .irregular, "UTF-16 read as UTF-8")
}
