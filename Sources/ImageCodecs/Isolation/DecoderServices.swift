/// The services of the libraries of this module.
package enum DecoderServices {
  package static var all: [any DecoderService.Type] {
    var services: [any DecoderService.Type] = []
    #if PNG
    services.append(PNGService.self)
    #endif
    return services
  }
}
