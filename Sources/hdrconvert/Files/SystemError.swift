// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Message of the system for the last failed call.
var lastSystemError: String {
  // SAFETY: the message is copied at once.
  unsafe String(cString: strerror(errno))
}
