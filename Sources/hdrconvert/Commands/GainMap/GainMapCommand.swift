// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// `hdrconvert gainmap`.
struct GainMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gainmap",
    abstract: "Create, apply, extract, join, swap and drop gain maps.",
    subcommands: [
      CreateGainMap.self, ApplyGainMap.self, ExtractGainMap.self, JoinGainMap.self,
      SwapGainMap.self, FlattenGainMap.self,
    ])
}
