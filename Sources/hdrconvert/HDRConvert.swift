internal import ArgumentParser
internal import Foundation

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
      Convert.self, Tag.self, Extract.self, Inspect.self, Validate.self, Codecs.self,
    ],
    defaultSubcommand: Convert.self)

  static func main() {
    Interruption.install()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as Failure {
      failure.report()
      quit(failure.exitCode)
    } catch let code as ExitCode {
      quit(code.rawValue)  // All is said.
    } catch {
      guard exitCode(for: error).isSuccess else {
        Failure(usage: message(for: error)).report()
        quit(Failure.usageExitCode)
      }
      exit(withError: error)  // Help and version, which go to standard output.
    }
  }
}

/// `exit`, which the methods of `ParsableCommand` hide.
private func quit(_ code: Int32) -> Never { exit(code) }

/// What `--version` prints.
let toolVersion = "0.1.0"
