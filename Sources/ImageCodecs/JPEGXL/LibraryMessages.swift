// SPDX-License-Identifier: Apache-2.0
internal import CShims

/// Messages that codec libraries print on standard error themselves.
public enum LibraryMessages {
  /// Keeps debug messages of libjxl, which some builds of it print, off standard error.
  ///
  /// Replaces the C library's `stderr` for the whole process: for programs, at their start, before
  /// they have threads.
  public static func discardDebugging() { messages_discard_debugging() }
}
