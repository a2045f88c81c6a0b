// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
public import GainMap
internal import HDRConversion
public import HDRCore
internal import ImageCodecs
internal import ImageFiles

// Parsing of option values. Errors name the accepted values.

/// A number that is finite and within `range`.
func number(
  _ text: Substring, in range: ClosedRange<Double>, unit: String = "cd/m²"
) throws(ValidationError) -> Double {
  guard let value = Double(text), value.isFinite, range.contains(value) else {
    let (low, high) = (range.lowerBound, range.upperBound)
    throw ValidationError(
      "'\(text)' is not a number from \(low.formatted) to \(high.formatted) \(unit)")
  }
  return value
}

extension Double {
  /// The number without `.0`.
  fileprivate var formatted: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

/// The result of `parse`, whose errors get the name of the option.
func value<Value>(
  of option: String, _ parse: () throws(ValidationError) -> Value
) throws(ValidationError) -> Value {
  do throws(ValidationError) {
    return try parse()
  } catch {
    throw ValidationError("\(option): \(error.message)")
  }
}

/// Parses `auto`, `keep`, `none`, or a value by `parse`; errors get the name of the option.
func metadatum<Value>(
  _ option: String, _ text: String, _ parse: ([Substring]) throws(ValidationError) -> Value
) throws(ValidationError) -> ConversionOptions.Metadatum<Value> {
  switch text {
  case "auto": return .automatic
  case "keep": return .keep
  case "none", "drop": return .none
  default:
    return try value(of: option) { () throws(ValidationError) in
      .value(try parse(text.split(separator: ",", omittingEmptySubsequences: false)))
    }
  }
}

func expect(
  _ fields: [Substring], _ counts: ClosedRange<Int>, like example: String
) throws(ValidationError) {
  guard counts.contains(fields.count) else {
    throw ValidationError("'\(fields.joined(separator: ","))' does not have the form \(example)")
  }
}

/// RGB primaries by their names in options.
func namedPrimaries(_ name: Substring) throws(ValidationError) -> ColorPrimaries {
  switch name.lowercased() {
  case "bt2020", "bt2100", "rec2020": return .bt2020
  case "p3", "displayp3", "p3-d65": return .displayP3
  case "bt709", "srgb", "rec709": return .bt709
  case "adobergb": return .adobeRGB
  case "prophoto": return .proPhoto
  case "aces", "ap0": return .acesAP0
  case "acescg", "ap1": return .acesAP1
  default:
    throw ValidationError(
      "'\(name)' is not one of bt2020, p3, bt709, adobergb, prophoto, aces, acescg")
  }
}

/// Transfer functions by their names in options.
func namedTransfer(_ name: Substring) -> TransferFunction? {
  switch name.lowercased() {
  case "linear": .linear
  case "pq": .pq
  case "hlg": .hlg
  case "srgb": .srgb
  default: nil
  }
}

/// `P/T/M[/R]`: primaries, transfer, matrix, and 0 or 1, or `limited` or `full`.
func parseCICP(_ text: String) throws(ValidationError) -> CICP {
  let fields = text.split(separator: "/", omittingEmptySubsequences: false)
  let numbers = fields.prefix(3).compactMap { UInt16($0) }
  guard numbers.count == 3, fields.count <= 4 else {
    throw ValidationError("'\(text)' does not have the form 9/16/9 or 9/16/9/1")
  }
  var isFullRange = true
  if fields.count == 4 {
    switch fields[3] {
    case "1", "full": isFullRange = true
    case "0", "limited": isFullRange = false
    default: throw ValidationError("'\(fields[3])' is not 0, 1, limited or full")
    }
  }
  return CICP(
    primaries: .init(rawValue: numbers[0]), transfer: .init(rawValue: numbers[1]),
    matrix: .init(rawValue: numbers[2]), isFullRange: isFullRange)
}

/// Bytes with an optional K, M or G, which count in 1024.
func parseSize(_ text: String) throws(ValidationError) -> Int {
  let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
  let shift = text.last.flatMap { units[Character($0.uppercased())] } ?? 0
  let digits = shift == 0 ? text[...] : text.dropLast()
  guard let count = Int(digits), count > 0, count <= Int.max >> shift else {
    throw ValidationError("'\(text)' is not a size such as 500M or 2G")
  }
  return count << shift
}

/// Pixels with an optional K, M or G, which count in 1000, as in megapixels.
func parsePixelCount(_ text: String) throws(ValidationError) -> Int {
  let units: [Character: Int] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000]
  let unit = text.last.flatMap { units[Character($0.uppercased())] }
  let (pixels, overflow) = (Int(unit == nil ? text[...] : text.dropLast()) ?? 0)
    .multipliedReportingOverflow(by: unit ?? 1)
  guard pixels > 0, !overflow else {
    throw ValidationError("'\(text)' is not a number of pixels such as 40M or 40000000")
  }
  return pixels
}

extension ChromaSubsampling: ExpressibleByArgument {}
extension GainMapQuality.Extent: ExpressibleByArgument {}
extension ConversionOptions.Signaling: ExpressibleByArgument {}
extension ConversionOptions.OrientationPolicy: ExpressibleByArgument {}
extension ConversionOptions.HeadroomAdaptationUse: ExpressibleByArgument {}
extension ConversionOptions.AlphaUse: ExpressibleByArgument {}
extension ColorEncoding.ImageState: ExpressibleByArgument {}
extension GainMapMetadata.AppleCurve: ExpressibleByArgument {}
