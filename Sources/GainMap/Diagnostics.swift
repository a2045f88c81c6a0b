// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
  static let gainMapAppleNotChangeable = ErrorCode(
    "gain-map/apple-not-changeable", .invalidArgument,
    "the numbers of an Apple gain map follow from its headroom")
  static let gainMapDoesNotBrighten = ErrorCode(
    "gain-map/does-not-brighten", .invalidArgument,
    "the gain map does not brighten")
  static let gainMapGainNotRepresentable = ErrorCode(
    "gain-map/gain-not-representable", .invalidArgument,
    "gains exceed the range of the metadata")
  static let gainMapHeadroomNotRepresentable = ErrorCode(
    "gain-map/headroom-not-representable", .invalidArgument,
    "a headroom of {stops stop} cannot be represented")
  static let gainMapNoDifference = ErrorCode(
    "gain-map/no-difference", .invalidArgument,
    "no pixel is brighter in one of the images than in the other")
  static let gainMapOptionsInvalid = ErrorCode(
    "gain-map/options-invalid", .invalidArgument,
    "a gain map with {components component}, 1/{scale}, {bits bit} is not possible")
  static let gainMapSamplesInvalid = ErrorCode(
    "gain-map/samples-invalid", .invalidArgument,
    "a gain map has integer samples and no alpha")
  static let gainMapSizesDiffer = ErrorCode(
    "gain-map/sizes-differ", .invalidArgument,
    "the images have {first} and {second pixel}")
}

extension NoticeCode {
  static let gainMapAppleFullGainMoved = NoticeCode(
    "gain-map/apple-full-gain-moved", .dropped,
    "Apple gain map: full gain at a headroom of {full stop} instead of {headroom stop}")
  static let gainMapAppleNegativeGains = NoticeCode(
    "gain-map/apple-negative-gains", .dropped,
    "Apple gain map: gains down to {minimum stop} become 0")
  static let gainMapIdentity = NoticeCode(
    "gain-map/identity", .irregular,
    "both images have a headroom of {headroom stop}: no gain")
  static let gainMapNegativeOffset = NoticeCode(
    "gain-map/negative-offset", .irregular,
    "negative offset {offset}, which other programs refuse")
}
