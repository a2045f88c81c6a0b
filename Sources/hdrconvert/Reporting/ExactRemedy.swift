internal import GainMap
internal import HDRCore

/// How a verb leads to a gain map whose samples are coded anew, where an error says that this helps.
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
  ///   - flavors: What it was asked for.
  /// - Returns: The same error, if samples coded anew help nothing.
  func remedied(by way: ExactRemedy, _ flavors: FlavorList?) -> ImageError {
    guard let flavors, !flavorsIfRecoded.isEmpty else { return self }
    let wanted = "--flavors \(flavorsIfRecoded.joined(separator: ",")) --exact"
    let words =
      switch way {
      case .option where flavors.all.map(\.rawValue).sorted() == flavorsIfRecoded.sorted():
        "add --exact, which codes the map anew"
      case .option:
        "\(wanted), which codes the map anew"
      case .remux(let deed, let output):
        "\(deed) without --flavors, then hdrconvert remux \(output.asArgument) "
          + "-o \(output.named("exact").asArgument) \(wanted)"
      }
    var error = self
    error.remedy = ([words] + [remedy].compactMap(\.self)).joined(separator: ", or ")
    return error
  }
}
