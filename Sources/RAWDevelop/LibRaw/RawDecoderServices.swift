// SPDX-License-Identifier: Apache-2.0
package import ImageCodecs

/// The services of the libraries of this module, in addition to those of `DecoderServices`.
package enum RawDecoderServices {
  package static var all: [any DecoderService.Type] {
    #if RAW
    [LibRawService.self]
    #else
    []
    #endif
  }
}
