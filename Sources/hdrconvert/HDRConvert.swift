internal import ArgumentParser
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// The command: parse arguments, call the library, print.
@main struct HDRConvert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hdrconvert",
    abstract: "High-dynamic-range still pictures: make, inspect, tag and convert them.",
    discussion: """
      examples:
        hdrconvert render.exr -o photo.avif
        hdrconvert render.tif --assume linear,bt2020 -o photo.heic --transfer hlg
        hdrconvert inspect photo.avif

      `hdrconvert IN -o OUT` is short for `hdrconvert convert IN -o OUT`.
      """,
    version: toolVersion,
    subcommands: [
      Convert.self, Render.self, GainMapCommand.self, Remux.self, Tag.self, Extract.self,
      Inspect.self, Validate.self, Compare.self, Sheet.self, Codecs.self,
    ],
    defaultSubcommand: Convert.self)

  static func main() {
    Console.occupyClosedStreams()
    Interruption.install()
    do {
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      try command.execution.perform { try command.run() }
    } catch let failure as Failure {
      failure.report()
      quit(failure.exitCode)
    } catch let code as ExitCode {
      quit(code.rawValue)  // All is said.
    } catch {
      guard exitCode(for: error).isSuccess else {
        (mistypedVerb(in: CommandLine.arguments) ?? Failure(usage: message(for: error))).report()
        quit(Failure.usageExitCode)
      }
      exit(withError: error)  // Help and version, which go to standard output.
    }
  }
}

extension HDRConvert {
  /// The verb with its options.
  ///
  /// - Throws: What the parser finds wrong.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    try parseAsRoot(arguments.withNegativeValues)
  }

  private static var verbs: [String] { configuration.subcommands.map { $0._commandName } }

  /// The verb that arguments name, like `tag` or `gainmap join`; without one they are those of
  /// `convert`.
  static func verb(of arguments: [String]) -> String {
    var (words, commands) = ([String](), configuration.subcommands)
    for word in arguments.dropFirst() {
      guard let command = commands.first(where: { $0._commandName == word }) else { break }
      words.append(word)
      commands = command.configuration.subcommands
    }
    return words.isEmpty ? Convert._commandName : words.joined(separator: " ")
  }

  /// The error for a first argument that is nearly a verb, and no file.
  static func mistypedVerb(in arguments: [String]) -> Failure? {
    guard let word = arguments.dropFirst().first, !verbs.contains(word), !word.hasPrefix("-"),
      !FileManager.default.fileExists(atPath: word),
      let verb = verbs.first(where: { word.lowercased().editCount(to: $0) <= 2 })
    else { return nil }
    return Failure(usage: "there is no verb '\(word)'", remedy: "hdrconvert \(verb) ...")
  }
}

extension String {
  /// The fewest letters to insert, remove, replace or swap with their neighbor to get `other`.
  ///
  /// Source: optimal string alignment distance.
  func editCount(to other: String) -> Int {
    let (from, to) = (Array(self), Array(other))
    var rows = [Array(0...to.count)]
    for i in from.indices {
      var row = [i + 1]
      for j in to.indices {
        var best = Swift.min(
          rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (from[i] == to[j] ? 0 : 1))
        if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
          best = Swift.min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[from.count][to.count]
  }
}

/// `exit`, which the methods of `ParsableCommand` hide.
private func quit(_ code: Int32) -> Never { exit(code) }

/// What `--version` prints.
let toolVersion = "0.1.0"
