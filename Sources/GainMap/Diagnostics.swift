// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of this module: codes and their English.

extension ErrorCode {
  static let appleCannotDarken = ErrorCode(
    "apple/cannot-darken", .invalidArgument,
    "an Apple gain map cannot darken, and this one only darkens")
  static let appleNeedsBaseWithoutHeadroom = ErrorCode(
    "apple/needs-base-without-headroom", .invalidArgument,
    "an Apple gain map requires a baseline image without headroom, not {stops stop}")
  static let appleNeedsSDRBase = ErrorCode(
    "apple/needs-sdr-base", .invalidArgument,
    "an Apple gain map requires an SDR baseline image")
  static let appleNoOffsets = ErrorCode(
    "apple/no-offsets", .invalidArgument,
    "an Apple gain map has no offsets; these are {base} and {alternate}")
  static let appleOneComponent = ErrorCode(
    "apple/one-component", .invalidArgument,
    "an Apple gain map has one gain for all components")
  static let gainMapAppleHeadroomMissing = ErrorCode(
    "gain-map/apple-headroom-missing", .malformed,
    "no headroom in Apple XMP or in the maker note")
  static let gainMapCapacityOrder = ErrorCode(
    "gain-map/capacity-order", .malformed,
    "HDRCapacityMin {minimum} is above HDRCapacityMax {maximum}")
  package static let gainMapDescriptionMissing = ErrorCode(
    "gain-map/description-missing", .invalidArgument,
    "no gain map metadata can be read")
  static let gainMapDoesNotBrighten = ErrorCode(
    "gain-map/does-not-brighten", .invalidArgument,
    "the gain map does not brighten")
  static let gainMapFitTooFar = ErrorCode(
    "gain-map/fit-too-far", .invalidArgument,
    "approximated {what} would differ by {error stop} from the gain map")
  package static let gainMapFlavorNotPossible = ErrorCode(
    "gain-map/flavor-not-possible", .invalidArgument,
    "{flavor} cannot describe this gain map: {cause}")
  static let gainMapGainNotRepresentable = ErrorCode(
    "gain-map/gain-not-representable", .invalidArgument,
    "gains exceed the range of the metadata")
  static let gainMapHeadroomNotRepresentable = ErrorCode(
    "gain-map/headroom-not-representable", .invalidArgument,
    "a headroom of {stops stop} cannot be represented")
  static let gainMapJSONNotEncodable = ErrorCode(
    "gain-map/json-not-encodable", .codecFailure,
    "the gain map metadata cannot be written as JSON")
  static let gainMapNoDifference = ErrorCode(
    "gain-map/no-difference", .invalidArgument,
    "no pixel is brighter in one of the images than in the other")
  static let gainMapOptionsInvalid = ErrorCode(
    "gain-map/options-invalid", .invalidArgument,
    "a gain map with {components component}, 1/{scale}, {bits bit} is not possible")
  static let gainMapPrestandardLayout = ErrorCode(
    "gain-map/prestandard-layout", .unsupported,
    "{size byte}: layout from before ISO 21496-1 was published")
  static let gainMapReaderVersion = ErrorCode(
    "gain-map/reader-version", .unsupported,
    "requires a reader of version {version}; version 0 is supported")
  static let gainMapFlavorsMissing = ErrorCode(
    "gain-map/flavors-missing", .invalidArgument,
    "no flavor of gain map metadata is given")
  static let gainMapSamplesInvalid = ErrorCode(
    "gain-map/samples-invalid", .invalidArgument,
    "a gain map has integer samples and no alpha")
  static let gainMapSizesDiffer = ErrorCode(
    "gain-map/sizes-differ", .invalidArgument,
    "the images have {first} and {second pixel}")
  static let gainMapTrailingBytes = ErrorCode(
    "gain-map/trailing-bytes", .malformed,
    "{size byte} after the fields of version 0")
  static let jsonInvalid = ErrorCode("json/invalid", .malformed, "invalid JSON: {detail}")
  static let jsonKeysMissing = ErrorCode(
    "json/keys-missing", .malformed,
    "one of {keys} is required")
  static let jsonValueInvalid = ErrorCode(
    "json/value-invalid", .malformed,
    "'{value}' is not {expected}")
  static let makerNoteOfAnotherMaker = ErrorCode(
    "maker-note/of-another-maker", .unsupported,
    "the maker note is not Apple's")
  static let makerNoteOverlap = ErrorCode(
    "maker-note/overlap", .malformed,
    "values of the maker note overlap its directories")
  static let makerNoteTagMissing = ErrorCode(
    "maker-note/tag-missing", .unsupported,
    "the maker note has no tag {tag}")
  static let xmpAlternatePrimaries = ErrorCode(
    "xmp/alternate-primaries", .invalidArgument,
    "XMP cannot store gain in the primaries of the alternate image")
  static let xmpEqualHeadrooms = ErrorCode(
    "xmp/equal-headrooms", .invalidArgument,
    "readers of XMP refuse equal headrooms")
  static let xmpNegativeOffsets = ErrorCode(
    "xmp/negative-offsets", .invalidArgument,
    "XMP cannot store negative offsets")
}

extension NoticeCode {
  static let gainMapAppleFullGainMoved = NoticeCode(
    "gain-map/apple-full-gain-moved", .dropped,
    "Apple gain map: full gain at a headroom of {full stop} instead of {headroom stop}")
  static let gainMapAppleHeadroomInvalid = NoticeCode(
    "gain-map/apple-headroom-invalid", .irregular,
    "ignored: HDRGainMapHeadroom is {value}")
  static let gainMapAppleHeadroomsDiffer = NoticeCode(
    "gain-map/apple-headrooms-differ", .conflict,
    "headroom {xmp} in Apple XMP, {makerNote} in the maker note; using XMP")
  static let gainMapAppleMetadataUsed = NoticeCode(
    "gain-map/apple-metadata-used", .conflict,
    "Apple metadata of the file are used; they differ by at most {error stop} from those used "
      + "before")
  static let gainMapAppleNegativeGains = NoticeCode(
    "gain-map/apple-negative-gains", .dropped,
    "Apple gain map: gains down to {minimum stop} become 0")
  static let gainMapApproximated = NoticeCode(
    "gain-map/approximated", .assumed,
    "approximated: {what} (maximum error {error stop})")
  static let gainMapBaseRenditionSpelling = NoticeCode(
    "gain-map/base-rendition-spelling", .irregular,
    "BaseRenditionIsHDR is \"{value}\", not True or False")
  static let gainMapCommonDenominator = NoticeCode(
    "gain-map/common-denominator", .irregular,
    "common denominator (not in ISO 21496-1)")
  static let gainMapIdentity = NoticeCode(
    "gain-map/identity", .irregular,
    "both images have a headroom of {headroom stop}: no gain")
  static let gainMapItemVersionMissing = NoticeCode(
    "gain-map/item-version-missing", .irregular,
    "the version byte of the item is missing")
  static let gainMapItemVersionUnexpected = NoticeCode(
    "gain-map/item-version-unexpected", .irregular,
    "version byte, which is only allowed in items")
  static let gainMapJSONLightDropped = NoticeCode(
    "gain-map/json-light-dropped", .dropped,
    "not copied: light metadata of the alternate image other than its content light level (the "
      + "JSON has no keys for them)")
  static let gainMapJSONXMPDropped = NoticeCode(
    "gain-map/json-xmp-dropped", .dropped,
    "not copied: XMP of the gain map (not UTF-8)")
  static let gainMapNegativeOffset = NoticeCode(
    "gain-map/negative-offset", .irregular,
    "negative offset {offset}, which other programs refuse")
  static let gainMapReservedBits = NoticeCode(
    "gain-map/reserved-bits", .irregular,
    "reserved bits are set: flags {flags}")
  package static let gainMapTrailingBytesIgnored = NoticeCode(
    "gain-map/trailing-bytes-ignored", .irregular,
    "ignored: {size byte} after the gain map metadata")
  static let gainMapWriterVersion = NoticeCode(
    "gain-map/writer-version", .irregular,
    "gain map metadata of version {version}, read as version 0, which they allow")
  static let gainMapXMPVersionMissing = NoticeCode(
    "gain-map/xmp-version-missing", .irregular,
    "hdrgm:Version is missing")
}
