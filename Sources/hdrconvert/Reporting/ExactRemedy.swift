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
  /// The way to an exact gain map, before what helps otherwise.
  ///
  /// - Parameters:
  ///   - way: What the verb can do.
  ///   - wanted: The flavors that it was asked for.
  ///   - map: The gain map that they describe.
  /// - Returns: `nil` if re-encoding the gain map does not help.
  func exactRemedy(
    by way: ExactRemedy, _ wanted: FlavorList?, for map: @autoclosure () -> FoundGainMap?
  ) -> String? {
    guard category == .invalidArgument, let wanted, let map = map() else { return nil }
    return exactRemedy(by: way, wanted, exact: map.flavorsIfRecoded(for: wanted.all))
  }

  /// The way to a gain map that some flavors describe exactly; `nil` if there are none.
  func exactRemedy(
    by way: ExactRemedy, _ wanted: FlavorList, exact flavors: Set<GainMapFlavor>
  ) -> String? {
    guard !flavors.isEmpty else { return nil }
    let names = GainMapFlavor.allCases.filter(flavors.contains).map(\.rawValue)
    let option = "--flavors \(names.joined(separator: ",")) --exact"
    let words =
      switch way {
      case .option where flavors == wanted.all: "add --exact, which re-encodes the gain map"
      case .option: "\(option), which re-encodes the gain map"
      case .remux(let deed, let output):
        "\(deed) without --flavors, then hdrconvert remux \(output.asArgument) "
          + "-o \(output.named("exact").asArgument) \(option)"
      }
    let usual = Remedies.remedy(against: self, of: .current)
    return ([words] + [usual].compactMap(\.self)).joined(separator: ", or ")
  }
}
