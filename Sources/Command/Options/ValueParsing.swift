// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
public import GainMap
public import HDRConversion
public import HDRCore

// Parsing of option values. Errors name the accepted values.

/// The parsed value, whose errors get the name of the option.
func value<Value>(
  of option: String, _ parse: @autoclosure () throws(ValidationError) -> Value
) throws(ValidationError) -> Value {
  do throws(ValidationError) {
    return try parse()
  } catch {
    throw ValidationError("\(option): \(error.message)")
  }
}

/// RGB primaries by their names in options.
func namedPrimaries(_ name: Substring) throws(ValidationError) -> ColorPrimaries {
  guard let primaries = ColorPrimaries(named: name) else {
    throw ValidationError(
      "'\(name)' is not one of \(ColorPrimaries.knownNames.joined(separator: ", "))")
  }
  return primaries
}

/// `P/T/M[/R]`: primaries, transfer, matrix, and 0 or 1, or `limited` or `full`.
func parseCICP(_ text: String) throws(ValidationError) -> CICP {
  guard let cicp = CICP(text) else {
    throw ValidationError("'\(text)' does not have the form 9/16/9, 9/16/9/full or 9/16/9/limited")
  }
  return cicp
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

extension TransferFunction: ExpressibleByArgument {
  public init?(argument: String) { self.init(named: argument) }
  public static var allValueStrings: [String] { ["pq", "hlg", "srgb", "linear"] }
}

extension ColorPrimaries: ExpressibleByArgument {
  public init?(argument: String) { self.init(named: argument) }
  public static var allValueStrings: [String] { ["bt2020", "p3", "bt709"] }
}

extension ConversionRequest.GainMap.Use: ExpressibleByArgument {}
extension ConversionRequest.Geometry.Flip: ExpressibleByArgument {}
