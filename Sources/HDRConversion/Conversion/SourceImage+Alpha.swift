// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension SourceImage {
  /// Removes an alpha channel that expresses nothing, or that is to be ignored.
  ///
  /// Opaque alpha does not change the image. Alpha that is 0 everywhere was not computed; the image
  /// would be invisible.
  ///
  /// - Parameter use: The handling of alpha.
  /// - Returns: Notices about alpha that was not used.
  /// - Throws: Errors of the decoder; `.cancelled`.
  mutating func applyAlpha(_ use: ConversionRequest.Coding.Alpha) throws(ImageError) -> [Notice] {
    guard image.layout.hasAlpha else { return [] }
    let content = try Execution.part(upTo: 0.1) { () throws(ImageError) in
      use == .ignore ? .opaque : try image.alphaContent()
    }
    guard content != .varying else { return [] }
    image = image.ignoringAlpha()
    return content == .empty
      ? [Notice(.assumed, "assumed: opaque image (its alpha channel is 0 everywhere)")] : []
  }
}
