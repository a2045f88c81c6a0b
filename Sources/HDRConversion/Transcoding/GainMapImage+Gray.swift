internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

extension GainMapImage {
  /// The map with one component in place of three that are the same in every sample.
  ///
  /// Some cameras code a gray map as Y'CbCr with neutral chroma.
  ///
  /// - Returns: `nil` for a map that has one component already, and for one whose components differ in
  ///   samples or in what these mean.
  func withOneComponent() throws(ImageError) -> GainMapImage? {
    guard !isGray, case .parameters(let metadata) = meaning,
      metadata.collapsed.channels.all.count == 1
    else { return nil }
    let codes = try codes()
    guard case .integer(let planes) = codes.planes,
      planes.dropFirst().allSatisfy({ $0 == planes[0] })
    else { return nil }
    var format = codes.layout
    format.components = .gray
    return GainMapImage(
      ImagePlanes(layout: format, planes: .integer([planes[0]])), meaning: meaning,
      alternatePrimaries: alternatePrimaries)
  }
}
