internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// How a verb leads to a gain map whose samples are coded anew, where that helps.
enum ExactRemedy {
  /// It has `--exact` itself.
  case option
  /// `remux` has it, for what the verb does without `--flavors`, and where that goes.
  case remux(after: String, into: String)
}

extension ImageError {
  /// The error with the way to an exact map before what helps otherwise.
  ///
  /// - Parameters:
  ///   - way: What the verb can do.
  ///   - wanted: What it was asked for.
  ///   - map: The map that it describes.
  /// - Returns: The same error, if samples coded anew help nothing.
  func remedied(
    by way: ExactRemedy, _ wanted: FlavorList?, for map: @autoclosure () -> FoundGainMap?
  ) -> ImageError {
    guard code == .invalidArgument, let wanted, let map = map() else { return self }
    return remedied(by: way, wanted, exact: map.flavorsIfRecoded(for: wanted.all))
  }

  /// The error with the way to a map that some flavors say exactly.
  func remedied(
    by way: ExactRemedy, _ wanted: FlavorList, exact flavors: Set<GainMapFlavor>
  ) -> ImageError {
    guard !flavors.isEmpty else { return self }
    let names = GainMapFlavor.allCases.filter(flavors.contains).map(\.rawValue)
    let option = "--flavors \(names.joined(separator: ",")) --exact"
    let words =
      switch way {
      case .option where flavors == wanted.all: "add --exact, which codes the map anew"
      case .option: "\(option), which codes the map anew"
      case .remux(let deed, let output):
        "\(deed) without --flavors, then hdrconvert remux \(output.asArgument) "
          + "-o \(output.named("exact").asArgument) \(option)"
      }
    var error = self
    let usual = remedy ?? Remedies.remedy(against: self, verb: "")
    error.remedy = ([words] + [usual].compactMap(\.self)).joined(separator: ", or ")
    return error
  }
}
