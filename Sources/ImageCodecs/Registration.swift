// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles

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
  #if ICC
  registry.colorManagement = LittleCMS.self
  #endif
  #if RAW
  registry.cameraRaw = LibRaw.self
  #endif
  CodecRegistry.register(registry)
}
