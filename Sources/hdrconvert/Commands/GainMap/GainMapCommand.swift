internal import ArgumentParser
internal import HDRConversion
internal import ImageFiles

/// `hdrconvert gainmap`.
struct GainMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gainmap",
    abstract: "Create gain maps, apply them, take them out, put them in, swap, drop.",
    subcommands: [
      CreateGainMap.self, ApplyGainMap.self, ExtractGainMap.self, JoinGainMap.self,
      SwapGainMap.self, FlattenGainMap.self,
    ])
}
