// SPDX-License-Identifier: Apache-2.0
/// The services of the libraries of this module.
package enum DecoderServices {
  package static var all: [any DecoderService.Type] {
    var services: [any DecoderService.Type] = []
    services.reserveCapacity(8)
    #if HEIF
    services.append(HEVCService.self)
    #endif
    #if AVIF
    services.append(AV1Service.self)
    #endif
    #if PNG
    services.append(PNGService.self)
    #endif
    #if JPEG
    services += [JPEGService.self, JPEGRotationService.self]
    #endif
    #if TIFF
    services.append(TIFFService.self)
    #endif
    #if EXR
    services.append(EXRService.self)
    #endif
    #if JPEGXL
    services.append(JPEGXLService.self)
    #endif
    return services
  }
}
