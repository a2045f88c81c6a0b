// SPDX-License-Identifier: Apache-2.0
/// The services of the libraries of this module.
package enum DecoderServices {
  package static var all: [any DecoderService.Type] {
    RegisteredCodecs.all.flatMap { codec in codec.services }
  }
}
