internal import ArgumentParser

/// `hdrconvert gainmap`.
struct GainMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gainmap",
    abstract: "Create gain maps, apply them, or drop them.",
    subcommands: [CreateGainMap.self, ApplyGainMap.self, FlattenGainMap.self])
}
