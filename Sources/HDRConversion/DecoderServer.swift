public import HDRCore
internal import ImageCodecs
internal import RAWDevelop

/// The program as a server of isolated decoders; see `Isolation`.
public enum DecoderServer {
  /// Serves decoders if this process was started for that, and does not return then.
  ///
  /// A program that uses `Isolation` calls this function at the beginning of `main`, before it
  /// starts threads.
  public static func serveIfLaunched() {
    var services = DecoderServices.all
    #if RAW
    services += rawDecoderServices
    #endif
    DecoderProcessServer.serveIfLaunched(services)
  }

  /// Starts the server before the first image is decoded, so that the program does not wait for it.
  ///
  /// - Parameter isolation: The conditions of isolated decoding.
  public static func launch(for isolation: Isolation) {
    DecoderProcessServer.launch(for: isolation)
  }
}
