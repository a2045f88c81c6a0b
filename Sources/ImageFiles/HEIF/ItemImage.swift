package import HDRCore
package import ImageContainers

/// A picture item: how it is made, and what is known of its samples before any is decoded.
package struct ItemImage: Sendable {
  /// What an item's samples come from.
  package indirect enum Source: Sendable {
    /// Coded in the item itself.
    case coded(ItemCodec)
    /// Equal tiles.
    case grid(ImageGrid, tiles: [ItemImage])
    /// Pictures laid on a canvas, in this order.
    case overlay(ImageOverlay, layers: [ItemImage])
    /// Another item as it is.
    case identity(ItemImage)
  }

  package let id: UInt32
  package let source: Source
  /// Size of what is stored, before the item's own transformations.
  package let width: Int
  package let height: Int
  package let chroma: ChromaSubsampling
  package let bits: Int
  package var chromaLocation: ChromaLocation
  /// From the bitstream of the item or of the first that it is made from; see
  /// `ItemDescriber.completed(_:)`.
  package var bitstreamCICP: CICP?
  /// From `colr` of the item, else of the first that it is made from.
  package let containerCICP: CICP?
  package let icc: [UInt8]?
  /// Of the item, after those of the item that it repeats.
  package let properties: [ItemProperty]
  /// What becomes of the samples before they are shown.
  package let geometry: ItemGeometry
  /// What is odd about the item, but readable.
  package var notices: [Notice] = []

  /// A picture that is coded in the item itself.
  ///
  /// - Throws: `.malformed` for an aperture outside the picture.
  package init(
    _ item: HEIFItem, _ codec: ItemCodec, width: Int, height: Int, chroma: ChromaSubsampling,
    bits: Int, chromaLocation: ChromaLocation
  ) throws(ImageError) {
    id = item.id
    source = .coded(codec)
    (self.width, self.height) = (width, height)
    (self.chroma, self.bits, self.chromaLocation) = (chroma, bits, chromaLocation)
    (containerCICP, icc) = (item.cicp, item.icc)
    properties = item.properties
    geometry = try ItemGeometry(width: width, height: height, properties: properties)
    noteEmptyProfile(item)
  }

  /// A picture that is made from others, which are all like `first`.
  ///
  /// - Throws: `.malformed` for an aperture outside the picture.
  package init(
    _ item: HEIFItem, _ source: Source, width: Int, height: Int, madeFrom first: ItemImage
  ) throws(ImageError) {
    id = item.id
    self.source = source
    (self.width, self.height) = (width, height)
    (chroma, bits, chromaLocation) = (first.chroma, first.bits, first.chromaLocation)
    containerCICP = item.cicp ?? first.containerCICP
    icc = item.icc ?? first.icc
    properties =
      if case .identity = source { first.properties + item.properties } else { item.properties }
    geometry = try ItemGeometry(width: width, height: height, properties: properties)
    noteEmptyProfile(item)
  }

  private mutating func noteEmptyProfile(_ item: HEIFItem) {
    guard item.hasEmptyProfile else { return }
    notices.append(
      Notice(.iccEmpty, at: .init(path: ["item \(id)"])))
  }

  /// Whether nothing is cut and nothing turned.
  package var isShownAsStored: Bool {
    (geometry.width, geometry.height, geometry.orientation) == (width, height, .upright)
  }

  /// What the container says, completed by the bitstream.
  ///
  /// An ICC profile in the container stands above the bitstream's primaries and transfer, if it says
  /// any.
  package var cicp: CICP? {
    guard let bitstreamCICP else { return containerCICP }
    var cicp =
      containerCICP
      ?? CICP(
        primaries: .unspecified, transfer: .unspecified, matrix: .unspecified,
        isFullRange: bitstreamCICP.isFullRange)
    if cicp.matrix == .unspecified { cicp.matrix = bitstreamCICP.matrix }
    guard cicp.primaries == .unspecified || cicp.transfer == .unspecified, !isProfileUsable else {
      return cicp
    }
    if cicp.primaries == .unspecified { cicp.primaries = bitstreamCICP.primaries }
    if cicp.transfer == .unspecified { cicp.transfer = bitstreamCICP.transfer }
    return cicp
  }

  /// Whether there is an ICC profile that says what the samples mean.
  private var isProfileUsable: Bool {
    guard let icc, let profile = try? ICCProfile(parsing: icc) else { return false }
    if case .unusable = ProfileColor(profile, isGray: chroma == .yuv400) { return false }
    return true
  }

  /// Notes where container and bitstream contradict each other.
  package mutating func noteConflict() {
    guard let containerCICP, let bitstreamCICP else { return }
    func differ<Code: Equatable>(_ field: KeyPath<CICP, Code>, _ unspecified: Code) -> Bool {
      let codes = (containerCICP[keyPath: field], bitstreamCICP[keyPath: field])
      return codes.0 != codes.1 && codes.0 != unspecified && codes.1 != unspecified
    }
    guard
      differ(\.primaries, .unspecified) || differ(\.transfer, .unspecified)
        || differ(\.matrix, .unspecified) || containerCICP.isFullRange != bitstreamCICP.isFullRange
    else { return }
    notices.append(
      Notice(
        .colorBitstreamDiffers, ["container": "\(containerCICP)", "bitstream": "\(bitstreamCICP)"],
        at: .init(path: ["item \(id)"])))
  }

  /// Layout of the samples that are shown, in stored order, without alpha.
  ///
  /// - Throws: `.malformed` if the planes cannot be what the matrix says.
  package var format: ImageLayout {
    get throws(ImageError) {
      var format = ImageLayout(
        width: geometry.width, height: geometry.height,
        components: chroma == .yuv400 ? .gray : .ycbcr(chroma), samples: .integer(bits: bits))
      if cicp?.matrix == .identity, chroma != .yuv400 {
        guard chroma == .yuv444 else {
          throw ImageError(
            .colorRGBSubsampled, ["chroma": chroma.rawValue], at: .init(path: ["item \(id)"]))
        }
        format.components = .rgb
      }
      return format
    }
  }

  /// Fails unless two parts of one picture have the same kind of samples.
  package func requireSameSamples(as other: ItemImage) throws(ImageError) {
    guard chroma == other.chroma, bits == other.bits else {
      throw ImageError(
        .itemPartsDiffer,
        [
          "first": id, "second": other.id, "bits": bits, "chroma": chroma.rawValue,
          "otherBits": other.bits, "otherChroma": other.chroma.rawValue,
        ])
    }
  }
}
