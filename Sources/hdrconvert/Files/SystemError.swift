internal import Foundation
internal import HDRConversion
internal import ImageFiles

/// What the system says about the call that failed last.
var lastSystemError: String {
  // SAFETY: the message is copied at once.
  unsafe String(cString: strerror(errno))
}
