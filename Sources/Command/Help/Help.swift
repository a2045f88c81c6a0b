// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import Platform

/// Help in three layers: the jobs, the common options of a verb, and all options of a verb.
enum Help {
  /// The help or the version that arguments ask for; `nil` if they ask for neither or name an unknown verb.
  ///
  /// - Parameters:
  ///   - arguments: Of the command, without its name.
  ///   - columns: Width of the text; `nil` for that of the terminal.
  /// - Returns: The text without a final line break.
  static func text(for arguments: [String], columns: Int? = nil) -> String? {
    var words = Array(arguments.prefix { $0 != "--" })
    let asksForHelp = words.first == "help"
    guard asksForHelp || words.contains("--help") || words.contains("-h") else {
      return words.contains("--version") ? BuildDescription.versionText : nil
    }
    let isComplete = words.contains("--all") || words.contains("--help-hidden")
    if asksForHelp { words.removeFirst() }
    let names = Array(words.prefix { !$0.hasPrefix("-") })
    if asksForHelp, names.count == 1, let text = topic(names[0]) { return text }
    guard !names.isEmpty else {
      return isComplete ? HDRConvert.helpMessage(includeHidden: true, columns: columns) : jobs
    }
    guard let verb = HDRConvert.command(named: names) else {
      // Without a verb, files follow: those are arguments of `convert`.
      return asksForHelp ? nil : text(of: Convert.self, isComplete, columns)
    }
    return text(of: verb, isComplete, columns)
  }

  /// The word that follows `help` and is not a verb, if there is one.
  static func unknownVerb(in arguments: [String]) -> String? {
    guard arguments.first == "help" else { return nil }
    let names = arguments.dropFirst().prefix { !$0.hasPrefix("-") }
    guard names.count != 1 || names.first.flatMap(topic) == nil else { return nil }
    var commands = HDRConvert.subcommands
    for name in names {
      guard let command = commands.first(where: { $0._commandName == name }) else { return name }
      commands = command.configuration.subcommands
    }
    return nil
  }

  /// The text of a topic that is not a verb.
  private static func topic(_ name: String) -> String? {
    switch name {
    case "exit-codes": exitCodes
    case RequestKeys.raw.topic: RequestKeys.raw.text
    case RequestKeys.set.topic: RequestKeys.set.text + "\n\n" + RequestKeys.tag.text
    default: nil
    }
  }

  private static func text(
    of verb: any ParsableCommand.Type, _ isComplete: Bool, _ columns: Int?
  ) -> String {
    let text = HDRConvert.helpMessage(for: verb, includeHidden: isComplete, columns: columns)
    let complete = HDRConvert.helpMessage(for: verb, includeHidden: true, columns: columns)
    let name = HDRConvert.name(of: verb)
    guard !isComplete, text != complete else { return withShortUsage(text, of: name) }
    return withShortUsage(text, of: name) + "\n\nAll options: hdrconvert help \(name) --all"
  }

  /// The text with the optional options of a usage line beyond the width replaced by `[<options>]`.
  private static func withShortUsage(_ text: String, of verb: String) -> String {
    let head = "USAGE: hdrconvert \(verb) "
    // Names of values may contain brackets.
    let options = #/ ?\[-(?:[^\[\]]|\[[^\]]*\])*\](?: \.\.\.)?/#
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.count > LabeledRows.width, line.hasPrefix(head) else { return String(line) }
      let rest = line.dropFirst(head.count).replacing(options, with: "")
      return head + "[<options>] " + String(rest).trimmed
    }
    return lines.joined(separator: "\n")
  }

  /// The first layer.
  static let jobs = """
    hdrconvert \(toolVersion): convert, inspect and edit HDR still images

    Convert
      hdrconvert IMG_0001.HEIC -o photo.avif        HDR photo to PQ AVIF
      hdrconvert IMG_0001.HEIC -o web.jpg           ... to Ultra HDR JPEG
      hdrconvert IMG_0001.HEIC -o thumb.jpg --resize 1024
      hdrconvert IMG_0001.HEIC -o sdr.jpg --sdr     ... to SDR
      hdrconvert IMG_0002.DNG -o photo.avif         RAW file to PQ AVIF
      hdrconvert render.exr -o photo.heic           render to PQ HEIF

    Display
      hdrconvert render photo.avif -o laptop.png --headroom 2.5x
      hdrconvert sheet *.heic -o sheet.html         contact sheet of headrooms

    Gain maps
      hdrconvert gainmap create --sdr sdr.tif --hdr hdr.exr -o web.jpg
      hdrconvert remux IMG_0001.HEIC -o iso.heic --flavors iso,apple
      hdrconvert gainmap apply, extract, join, swap, flatten

    Inspect and check
      hdrconvert inspect photo.avif                 content, color, light levels
      hdrconvert validate photo.avif                rules of the standards
      hdrconvert compare a.exr b.avif               Delta E ITP, metadata

    Many files
      hdrconvert *.heic --out-dir web --to jpeg     concurrently; folders with -r
      hdrconvert -r DIR --out-dir OUT --to avif --resume out.journal
      hdrconvert journal out.journal                totals, failures by code

    Edit without re-encoding
      hdrconvert tag IMG_0001.HEIC -o public.heic --strip gps
      hdrconvert extract IMG_0002.DNG -o preview.jpg --preview

    More help
      hdrconvert help VERB                          common options, examples
      hdrconvert help VERB --all                    all options
      hdrconvert help raw, set                      keys of --raw and --set
      hdrconvert help exit-codes                    status of the command
      hdrconvert codecs                             formats of this build
      hdrconvert --version

    Without --force, no file is replaced. With --json, every verb reports as JSON.
    Manual pages: hdrconvert help --man DIR. Completion of options by bash, zsh and
    fish: hdrconvert --generate-completion-script SHELL.
    """

  /// Exit codes with their meanings and whether to try again, as in `Documentation/ExitCodes.md`.
  static let exitStatus = [
    ("0", "done", ""), ("1", "an input failed, or validate or compare found failures", "no"),
    ("64", "the arguments are wrong", "no"),
    ("65", "an input is malformed, unsuitable or over a limit", "no"),
    ("66", "an input is missing", "no"),
    ("69", "this build does not have the codec or feature", "no"),
    ("70", "a defect of hdrconvert", "no"),
    ("73", "the output cannot be created, or exists", "maybe"),
    ("74", "a file cannot be read or written", "maybe"),
    ("75", "temporary: --memory-limit exceeded, or journal in use", "yes"),
    ("130", "interrupted (SIGINT); partial files are removed", "yes"),
    ("137", "killed (if memory is short, by the system); --resume it", "yes"),
    ("143", "terminated (SIGTERM); partial files are removed", "yes"),
  ]

  /// The exit codes as text.
  private static var exitCodes: String {
    let rows = [("code", "meaning", "try again")] + exitStatus
    let width = (rows.map(\.1.count).max() ?? 0) + 2
    return rows.map { code, meaning, retry in
      (code.padded(to: 10) + meaning.padded(to: width) + retry).trimmed
    }.joined(separator: "\n")
  }
}

extension HDRConvert {
  /// The command of a verb, such as `tag` or `gainmap join`, whose words begin the arguments.
  static func command(named words: [String]) -> (any ParsableCommand.Type)? {
    var (found, commands) = (nil as (any ParsableCommand.Type)?, subcommands)
    for word in words {
      guard let command = commands.first(where: { $0._commandName == word }) else { break }
      (found, commands) = (command, command.configuration.subcommands)
    }
    return found
  }

  /// The verb of a command, with the group it belongs to.
  static func name(of command: any ParsableCommand.Type) -> String {
    let isGainMapVerb = GainMapCommand.configuration.subcommands.contains { $0 == command }
    return (isGainMapVerb ? "\(GainMapCommand._commandName) " : "") + command._commandName
  }
}
