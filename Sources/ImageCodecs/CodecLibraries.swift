// SPDX-License-Identifier: Apache-2.0
internal import CShims
#if HEIF
internal import CLibHEIF
#endif

/// The codec libraries of this process.
public enum CodecLibraries {
  /// Keeps debug messages of libjxl, which some builds of it print, off standard error.
  ///
  /// Replaces the C library's `stderr` for the whole process: for programs, at their start, before
  /// they have threads.
  public static func discardDebugMessages() { messages_discard_debugging() }

  /// Prepares a program that cannot open files later: without debug messages, and with the plugins of
  /// libheif.
  package static func prepare() {
    discardDebugMessages()
    #if HEIF
    _ = unsafe heif_init(nil)
    #endif
  }
}
