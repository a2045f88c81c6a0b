// SPDX-License-Identifier: Apache-2.0
internal import ImageCodecs
internal import RAWDevelop

/// The program as a server of isolated decoders; see `Execution.Isolation`.
public enum DecoderServer {
  /// Serves decoders if this process was started for that, and does not return then.
  ///
  /// A program that uses `Execution.Isolation` calls this function at the beginning of `main`, before it
  /// starts threads.
  public static func serveIfLaunched() {
    DecoderProcessServer.serveIfLaunched(services)
  }

  /// Starts the server before the first image is decoded.
  ///
  /// On Linux, this costs about a millisecond in a process that does not have other threads yet;
  /// else the program is started again. Without this function, it is started when the first image
  /// is decoded.
  public static func launch() { DecoderProcessServer.launch(services) }

  private static var services: [any DecoderService.Type] {
    DecoderServices.all + RawDecoderServices.all
  }
}
