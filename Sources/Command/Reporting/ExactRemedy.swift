// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore

/// The way of a verb to a re-encoded gain map.
enum ExactRemedy {
  /// The verb has the option `--exact`.
  case option
  /// A second step by `remux --exact`, after the verb has run without `--flavors`.
  case remux(after: String, into: String)
}

extension ImageError {
  /// The remedy that leads to an exact gain map, followed by the usual one.
  ///
  /// - Parameters:
  ///   - way: The way of the verb.
  ///   - wanted: The requested flavors.
  /// - Returns: `nil` if re-encoding the gain map does not help.
  func exactRemedy(by way: ExactRemedy, _ wanted: FlavorList?) -> String? {
    guard let wanted, case .list(let names)? = parameters["exact"] else { return nil }
    let flavors = names.compactMap { name -> GainMapFlavor? in
      if case .text(let text) = name { GainMapFlavor(rawValue: text) } else { nil }
    }
    return exactRemedy(by: way, wanted, exact: Set(flavors))
  }

  /// The remedy that leads to a gain map that flavors describe exactly; `nil` for no flavors.
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
      case .remux(let step, let output):
        "\(step) without --flavors, then hdrconvert remux \(output.asArgument) "
          + "-o \(output.named("exact").asArgument) \(option)"
      }
    let usual = Remedies.remedy(against: self, of: .current)
    return ([words] + [usual].compactMap(\.self)).joined(separator: ", or ")
  }
}
