// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform

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

extension JSONReport {
  /// Makes the report of the verb that runs.
  init(inputs: [String], results: [Result], failures: [FailureReport] = []) {
    self.init(
      inputs: inputs, results: results, failures: failures, verb: Invocation.current.verbOfReport)
  }

  /// Prints the report on standard output.
  ///
  /// One of several inputs adds its results to the report of the command.
  ///
  /// - Throws: The failure to encode the report.
  func print() throws(Failure) {
    guard !InputReport.add({ $0.results += results }) else { return }
    let text: [UInt8]
    do throws(ImageError) { text = try json() } catch { throw Failure(error, stage: .writing) }
    Console.write(text + [0x0A])
  }
}

extension NoticeReport {
  /// Reports a notice with the remedy for the verb that runs.
  init(_ notice: Notice) {
    self.init(notice, remedy: Remedies.remedy(for: notice, of: .current))
  }
}

extension FailureReport {
  /// Reports a failure.
  ///
  /// - Parameters:
  ///   - failure: The failure, which is reported on standard error as well.
  ///   - file: The name of the file as it was given.
  init(_ failure: Failure, of file: String?) {
    self.init(
      failure.error, of: file, message: failure.message, reason: failure.reason,
      remedy: failure.remedy, exitCode: Int(failure.exitCode))
  }
}

/// Labels and values in two columns, wrapped to the width of a terminal.
struct LabeledRows {
  static let width = 80

  /// Column of the values.
  let column: Int
  private(set) var lines: [String] = []

  init(column: Int) { self.column = column }

  /// Adds a label with its values, each on lines of its own.
  ///
  /// - Parameters:
  ///   - label: Printed before the first value.
  ///   - values: Texts; long ones are wrapped at spaces, except commands, which are copied.
  ///   - hanging: Additional indentation of wrapped lines.
  mutating func add(_ label: String, _ values: [String], hanging: Int = 0) {
    let texts = values.flatMap {
      $0.hasPrefix("hdrconvert ") ? [$0] : $0.wrapped(to: Self.width - column, hanging: hanging)
    }
    for (index, text) in texts.enumerated() {
      let head = index == 0 ? "  " + label : ""
      lines.append(head.padded(to: max(column, head.count + 1)) + text)
    }
  }
}

extension String {
  /// The text followed by spaces up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }

  /// Lines of at most `width` characters, split at spaces; a longer word has a line of its own, and a
  /// percent sign stays with its number.
  ///
  /// - Parameters:
  ///   - width: Characters of a line.
  ///   - hanging: Indentation of all lines but the first.
  /// - Returns: At least one line.
  func wrapped(to width: Int, hanging: Int = 0) -> [String] {
    var words: [String] = []
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if word.hasPrefix("%"), let number = words.popLast() {
        words.append("\(number) \(word)")
      } else {
        words.append(String(word))
      }
    }
    var lines: [String] = []
    var line = words.first ?? ""
    for word in words.dropFirst() {
      if line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging) + word
      } else {
        line += " " + word
      }
    }
    return lines + [line]
  }
}

extension String {
  /// The text with an escape such as `\u{1B}` for each character that controls a terminal.
  ///
  /// These are control characters, line separators, and characters that change the direction of
  /// writing. File names and texts in files may contain any of them.
  ///
  /// Source: Unicode, general categories Cc, Zl and Zp, and the property Bidi_Control.
  var visible: String {
    guard unicodeScalars.contains(where: \.controlsTerminal) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.controlsTerminal {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var controlsTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
