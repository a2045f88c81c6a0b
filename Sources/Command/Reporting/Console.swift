// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore

/// Standard output for results, standard error for messages.
///
/// Control characters from files and their names are written as escapes (`visible`).
enum Console {
  static func note(_ line: String) { add(["hdrconvert: \(line)"]) }

  /// Writes further lines of a note.
  static func add(_ lines: [String]) { show(text(lines)) }

  private static func text(_ lines: [String]) -> String {
    lines.map { $0.visible + "\n" }.joined()
  }

  /// Writes to standard error without escapes; errors are ignored, because it may be closed or full.
  static func show(_ text: String) {
    guard !InputReport.add({ $0.messages += text }) else { return }
    if let command = CommandFiles.current { return command.tell(.message(text)) }
    try? OutputFile.write(Array(text.utf8), to: STDERR_FILENO, path: "standard error")
  }

  /// Writes a line of the result.
  static func print(_ line: String) { print([line]) }

  /// Writes lines of the result.
  static func print(_ lines: [String]) { write(Array(text(lines).utf8)) }

  /// Writes a result without escapes; if that fails, the command ends.
  static func write(_ bytes: [UInt8]) {
    guard !InputReport.add({ $0.output += bytes }) else { return }
    if let command = CommandFiles.current { return command.tell(.output(Data(bytes))) }
    do throws(ImageError) {
      try OutputFile.write(bytes, to: STDOUT_FILENO, path: "standard output")
    } catch {
      let failure = Failure(error, stage: .writing)
      failure.report()
      exit(failure.exitCode)
    }
  }

  /// Opens standard streams that the caller closed, so that no file that is opened later gets the
  /// number of one.
  static func occupyClosedStreams() {
    var descriptor: Int32
    // SAFETY: the path is a constant string, which `open` only reads.
    repeat { descriptor = unsafe open("/dev/null", O_RDONLY) } while 0...2 ~= descriptor
    if descriptor > 2 { close(descriptor) }
  }

  /// Reports notices, each once, with the name of the file if there are several.
  ///
  /// Without `--verbose`, only those of `NoticeVisibility`.
  ///
  /// - Parameters:
  ///   - notices: The notices.
  ///   - file: The name of the file; `nil` if there is only one.
  ///   - input: The name of the input in commands; `nil` for `file`.
  ///   - isQuiet: Whether they are recorded for reports and not printed.
  static func report(
    _ notices: [Notice], of file: String? = nil, input: String? = nil, isQuiet: Bool = false
  ) {
    InputReport.add { $0.notices += notices }
    guard !isQuiet else { return }
    var reported: Set<Notice> = []
    let isVerbose = Invocation.current.isVerbose
    let printed = notices.filter { notice in
      (isVerbose || NoticeVisibility.isPrinted(notice)) && reported.insert(notice).inserted
    }
    for group in grouped(printed) {
      let notice = group[0]
      let place = [file, notice.location.description].compactMap { $0 }.filter { !$0.isEmpty }
        .joined(separator: ", ")
      note(
        "\(notice.severity.rawValue): \(text(of: group))" + (place.isEmpty ? "" : " [\(place)]")
          + group.compactMap(\.code.name).map { " (\($0))" }.joined())
      let remedies = group.compactMap { Remedies.remedy(for: $0, of: .current) }
      for remedy in remedies { add(["  try: \(remedy.about(file: input ?? file))"]) }
    }
  }

  private static let reencoded = "re-encoded: "

  /// Notices that are printed on one line: those about re-encoded images of the same file.
  private static func grouped(_ notices: [Notice]) -> [[Notice]] {
    var groups: [[Notice]] = []
    for notice in notices {
      let index = groups.firstIndex { group in
        notice.message.hasPrefix(reencoded) && group[0].message.hasPrefix(reencoded)
          && group[0].location == notice.location && group[0].severity == notice.severity
      }
      if let index { groups[index].append(notice) } else { groups.append([notice]) }
    }
    return groups
  }

  /// The messages of a group, without repeating their beginning.
  private static func text(of group: [Notice]) -> String {
    ([group[0].message] + group.dropFirst().map { String($0.message.dropFirst(reencoded.count)) })
      .joined(separator: "; ")
  }

  /// Whether standard error is a terminal.
  static var isWatched: Bool { CommandFiles.current?.isWatched ?? (isatty(STDERR_FILENO) == 1) }
}
