// SPDX-License-Identifier: Apache-2.0
internal import CPlatform
#if HEIF
internal import CLibHEIF
#endif
internal import ImageFiles

/// The codec libraries of this process.
public enum CodecLibraries {
  /// Receives the debug messages of libjxl, which some builds of it print on standard error.
  ///
  /// The errors that they are about are thrown as well. Replaces the C library's `stderr` for the whole
  /// process: for programs, at their start, before they have threads.
  ///
  /// - Parameter receive: Called with each message, on any thread; `nil` discards them.
  public static func receiveMessages(_ receive: (@Sendable (String) -> Void)?) {
    guard let receive else { return platform_receive_messages(nil, nil) }
    // Kept for the rest of the process: another thread may be about to call it.
    let receiver = unsafe Unmanaged.passRetained(MessageReceiver(receive))
    unsafe platform_receive_messages(
      { context, text in
        guard let context = unsafe context else { return }
        // SAFETY: the context is the receiver, the text a C string.
        let receiver = unsafe Unmanaged<MessageReceiver>.fromOpaque(context).takeUnretainedValue()
        unsafe receiver.receive(String(cString: text))
      }, receiver.toOpaque())
  }

  private final class MessageReceiver: Sendable {
    let receive: @Sendable (String) -> Void

    init(_ receive: @escaping @Sendable (String) -> Void) { self.receive = receive }
  }

  /// Prepares a program that cannot open files later: without debug messages, and with the plugins of
  /// libheif.
  package static func prepare() {
    receiveMessages(nil)
    #if HEIF
    _ = unsafe heif_init(nil)
    #endif
  }
}

/// Registers the codecs of this build; `CPlatform` declares the function for programs without them.
@c(image_codecs_register) func registerCodecs() {
  var registry = CodecRegistry([RadianceCodec.self])
  #if HEIF
  registry.codecs.append(HEIFCodec.self)
  #endif
  #if AVIF
  registry.codecs.append(AVIFCodec.self)
  #endif
  #if PNG
  registry.codecs.append(PNGCodec.self)
  #endif
  #if JPEG
  registry.codecs.append(JPEGCodec.self)
  registry.jpeg = LibJPEG.self
  #endif
  #if TIFF
  registry.codecs.append(TIFFCodec.self)
  #endif
  #if EXR
  registry.codecs.append(EXRCodec.self)
  #endif
  #if JPEGXL
  registry.codecs.append(JPEGXLCodec.self)
  registry.jpegXL = LibJXL.self
  #endif
  #if JPEGXR
  registry.codecs.append(JPEGXRCodec.self)
  #endif
  #if ICC
  registry.colorManagement = LittleCMS.self
  #endif
  #if RAW
  registry.cameraRaw = LibRaw.self
  #endif
  CodecRegistry.register(registry)
}
