internal import ArgumentParser
internal import GainMap
internal import HDRCore

/// Headroom on the command line; a bare number is a ratio.
enum HeadroomArgument: ExpressibleByArgument, Equatable {
  /// All that there is.
  case full
  case value(Headroom)

  init?(argument: String) {
    guard argument != "full" else {
      self = .full
      return
    }
    let unit = argument.drop { $0.isNumber || $0 == "." }
    guard let number = Double(argument.dropLast(unit.count)), number.isFinite else { return nil }
    let headroom: Headroom
    switch unit {
    case "", "x": headroom = Headroom(ratio: number)
    case "st": headroom = Headroom(stops: number)
    case "nit", "nits": headroom = Headroom(ratio: number / HDRDescription.defaultDiffuseWhite)
    default: return nil
    }
    guard (0...GainMapMetadata.largestStops).contains(headroom.stops) else { return nil }
    self = .value(headroom)
  }

  var defaultValueDescription: String {
    switch self {
    case .full: "full"
    case .value(let headroom): "\(headroom.ratio)x"
    }
  }
}
