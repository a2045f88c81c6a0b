// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore

extension GainMapImage {
  /// Returns the gain map with one component if all three are equal; `nil` if it has one component, or
  /// if samples or metadata of the components differ.
  ///
  /// Some cameras encode gray gain maps as Y'CbCr with neutral chroma.
  ///
  /// - Throws: `.cancelled`.
  func withOneComponent() throws(ImageError) -> GainMapImage? {
    guard !isGray, !metadata.isApple, metadata.collapsed.channels.all.count == 1
    else { return nil }
    let codes = try codes()
    guard case .integer(let planes) = codes.planes,
      planes.dropFirst().allSatisfy({ $0 == planes[0] })
    else { return nil }
    var layout = codes.layout
    layout.components = .gray
    return GainMapImage(
      ImagePlanes(layout: layout, planes: .integer([planes[0]])), metadata: metadata,
      alternatePrimaries: alternatePrimaries)
  }
}
