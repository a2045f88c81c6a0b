// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import GainMap
internal import HDRCore
internal import ImageReports

/// Headroom on the command line; a bare number is a ratio.
enum HeadroomArgument: Equatable {
  /// The headroom of the content.
  case full
  case value(Headroom)

  /// Reads `4x`, `4`, `2st`, `812nit` or `full`.
  ///
  /// - Throws: `ValidationError` for other text.
  init(parsing text: String) throws(ValidationError) {
    guard text != "full" else {
      self = .full
      return
    }
    let unit = text.drop { $0.isNumber || ".+-".contains($0) }
    let headroom: Headroom? = Double(text.dropLast(unit.count)).flatMap { number in
      switch unit {
      case "", "x": Headroom(ratio: number)
      case "st": Headroom(stops: number)
      case "nit", "nits": Headroom(ratio: number / ColorEncoding.defaultReferenceWhite)
      default: nil
      }
    }
    guard let headroom else {
      throw ValidationError(
        "headroom is a ratio (4x or 4), stops (2st), a peak for reference white at 203 cd/m² "
          + "(812nit), or full")
    }
    guard headroom.stops >= 0 else {
      throw ValidationError("headroom is 1x or more")
    }
    guard headroom.stops <= GainMapMetadata.largestStops else {
      throw ValidationError("headroom is at most \(short(GainMapMetadata.largestStops)) stops")
    }
    self = .value(headroom)
  }
}
