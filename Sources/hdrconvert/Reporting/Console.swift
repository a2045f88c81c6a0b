internal import Foundation
internal import HDRCore

/// Results go to standard output; everything for people beside them goes to standard error.
enum Console {
  static func note(_ text: String, isContinuation: Bool = false) {
    let line = isContinuation ? text : "hdrconvert: \(text)"
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  static func print(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  static func report(_ notices: [Notice]) {
    for notice in notices {
      let place = notice.location.description
      note("\(notice.kind.rawValue): \(notice.message)" + (place.isEmpty ? "" : " [\(place)]"))
    }
  }

  /// Whether people watch standard error.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }
}
