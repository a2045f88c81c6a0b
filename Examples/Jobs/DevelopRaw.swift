// SPDX-License-Identifier: Apache-2.0
import HDRConversion

/// Develops a raw file in HDR, with a white balance in kelvins and an exposure in stops before its tone curve.
func develop(_ raw: String, temperature: Double, exposure: Double, to output: String) throws {
  var request = ConversionRequest()
  request.raw.temperature = temperature
  request.rendition.exposure = exposure
  request.raw.highlights = .reconstruct
  try ImageFile(path: raw).convert(to: output, request)
}
