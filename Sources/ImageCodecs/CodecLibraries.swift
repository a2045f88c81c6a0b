// SPDX-License-Identifier: Apache-2.0
internal import CShims
#if HEIF
internal import CLibHEIF
#endif
internal import ImageFiles

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
  registry.jpeg = JPEGParts.self
  #endif
  #if TIFF
  registry.codecs.append(TIFFCodec.self)
  #endif
  #if EXR
  registry.codecs.append(EXRCodec.self)
  #endif
  #if JPEGXL
  registry.codecs.append(JPEGXLCodec.self)
  registry.jpegXL = JPEGXLParts.self
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
