internal import ArgumentParser

/// `hdrconvert gainmap`.
struct GainMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gainmap",
    abstract: "Apply gain maps, or drop them.",
    subcommands: [ApplyGainMap.self, FlattenGainMap.self])
}
