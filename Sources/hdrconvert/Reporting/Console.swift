internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Results go to standard output; everything for people beside them goes to standard error.
///
/// What files and their names bring along never steers the terminal: lines are written `visible`.
enum Console {
  static func note(_ line: String) { add(["hdrconvert: \(line)"]) }

  /// Writes further lines of a note.
  static func add(_ lines: [String]) { show(text(lines)) }

  private static func text(_ lines: [String]) -> String {
    lines.map { $0.visible + "\n" }.joined()
  }

  /// Writes to standard error as it is, which may be closed or full: that is no reason to stop.
  static func show(_ text: String) {
    try? OutputFile.write(Array(text.utf8), to: STDERR_FILENO, path: "standard error")
  }

  /// Writes a line of the result.
  static func print(_ line: String) { print([line]) }

  /// Writes lines of the result.
  static func print(_ lines: [String]) { write(Array(text(lines).utf8)) }

  /// Writes a result for machines as it is; where nobody takes it, the command ends.
  static func write(_ bytes: [UInt8]) {
    do throws(ImageError) {
      try OutputFile.write(bytes, to: STDOUT_FILENO, path: "standard output")
    } catch {
      let failure = Failure(error, stage: .writing)
      failure.report()
      exit(failure.exitCode)
    }
  }

  /// Gives standard streams that the caller closed something to fail on, lest the next file that is
  /// opened gets the number of one, and with it what is meant for people.
  static func occupyClosedStreams() {
    var descriptor: Int32
    // SAFETY: the path is a constant string, which `open` only reads.
    repeat { descriptor = unsafe open("/dev/null", O_RDONLY) } while 0...2 ~= descriptor
    if descriptor > 2 { close(descriptor) }
  }

  /// Reports notices; of which file, if there are several.
  static func report(_ notices: [Notice], of file: String? = nil) {
    for notice in notices {
      let place = [file, notice.location.description].compactMap { $0 }.filter { !$0.isEmpty }
        .joined(separator: ", ")
      note(
        "\(notice.severity.rawValue): \(notice.message)" + (place.isEmpty ? "" : " [\(place)]")
          + " (\(notice.code.id))")
      if let remedy = Remedies.remedy(for: notice, of: .current) { add(["  try: \(remedy)"]) }
    }
  }

  /// Whether people watch standard error.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }
}
