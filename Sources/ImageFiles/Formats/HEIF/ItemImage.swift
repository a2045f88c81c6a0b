// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An image item: its coding or derivation, and the properties of its samples before decoding.
package struct ItemImage: Sendable {
  /// Origin of the samples of an item.
  package indirect enum Source: Sendable {
    /// Coded in the item itself.
    case coded(ItemCodec)
    /// Tiles of equal size.
    case grid(ImageGrid, tiles: [ItemImage])
    /// Layers composed on a canvas, in this order.
    case overlay(ImageOverlay, layers: [ItemImage])
    /// Another item, unchanged.
    case identity(ItemImage)
  }

  package let id: UInt32
  package let source: Source
  /// Size of the stored image in pixels, before the transformations of the item.
  package let width: Int
  package let height: Int
  package let chroma: ChromaSubsampling
  package let bits: Int
  package var chromaLocation: ChromaLocation
  /// Code points in the bitstream of the item or of its first input; see
  /// `ItemDescriber.completed(_:)`.
  package var bitstreamCICP: CICP?
  /// Whether the samples are full range if neither container nor bitstream signals it; `nil` if the
  /// codec does not define it.
  package var inferredFullRange: Bool?
  /// Matrix coefficients that the caller declares against the file.
  package var declaredMatrix: CICP.Matrix?
  /// Code points in `colr` of the item, or of its first input if it does not have its own.
  package let containerCICP: CICP?
  package let icc: [UInt8]?
  /// Properties of the item; for an identity derivation, those of its input come first.
  package let properties: [ItemProperty]
  /// Cropping, rotation and mirroring for display.
  package let geometry: ItemGeometry
  /// Irregular but readable properties.
  package var notices: [Notice] = []

  /// Creates the description of a coded image.
  ///
  /// - Throws: `.malformed` for a clean aperture outside the image.
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

  /// Creates the description of an image derived from others with the sample format of `first`.
  ///
  /// - Throws: `.malformed` for a clean aperture outside the image.
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
    notices.append(Notice(.iccEmpty, at: .init(path: ["item \(id)"])))
  }

  /// Whether the image is displayed without cropping, rotation or mirroring.
  package var isShownAsStored: Bool {
    (geometry.width, geometry.height, geometry.orientation) == (width, height, .upright)
  }

  /// The code points of the container; unspecified and reserved ones are taken from the bitstream.
  ///
  /// A usable ICC profile in the container takes precedence over the primaries and transfer
  /// characteristics in the bitstream.
  package var cicp: CICP? {
    let stream =
      bitstreamCICP?.withoutReserved ?? inferredFullRange.map(CICP.unspecified(isFullRange:))
    let container = containerCICP?.withoutReserved
    guard let stream else { return container }
    var cicp = container ?? .unspecified(isFullRange: stream.isFullRange)
    if !cicp.matrix.isSpecified { cicp.matrix = stream.matrix }
    guard !isContainerColorComplete, !isProfileUsable else { return cicp }
    if stream.isColorSpecified {
      (cicp.primaries, cicp.transfer) = (stream.primaries, stream.transfer)
    } else {
      if !cicp.primaries.isSpecified { cicp.primaries = stream.primaries }
      if !cicp.transfer.isSpecified { cicp.transfer = stream.transfer }
    }
    return cicp
  }

  /// Whether the container specifies primaries and transfer function.
  private var isContainerColorComplete: Bool { containerCICP?.isColorSpecified ?? false }

  /// Whether the code points of the bitstream replace those of the container as a whole.
  package var isColorOfBitstream: Bool {
    !isContainerColorComplete && bitstreamCICP?.isColorSpecified ?? false
  }

  /// Whether the item has an ICC profile that specifies the color of its samples.
  private var isProfileUsable: Bool {
    guard let icc, let profile = try? ICCProfile(parsing: icc) else { return false }
    if case .unusable = ProfileColor(profile, isGray: chroma == .yuv400) { return false }
    return true
  }

  /// Adds notices if the code points in container and bitstream contradict each other, are
  /// reserved, or do not specify the range.
  package mutating func noteCodePoints() {
    let place = ImageError.Location(path: ["item \(id)"])
    for (cicp, carrier) in [(containerCICP, "nclx"), (bitstreamCICP, "bitstream")] {
      let place = ImageError.Location(path: ["item \(id)", carrier])
      if let notice = cicp?.reservedNotice(at: place) { notices.append(notice) }
    }
    if containerCICP == nil, bitstreamCICP == nil, inferredFullRange == false {
      notices.append(Notice(.colorRangeInferred, at: place))
    }
    guard let containerCICP, let bitstreamCICP else { return }
    func differ<Code: CodePoint>(_ field: KeyPath<CICP, Code>) -> Bool {
      let codes = (containerCICP[keyPath: field], bitstreamCICP[keyPath: field])
      return codes.0 != codes.1 && codes.0.isSpecified && codes.1.isSpecified
    }
    guard
      differ(\.primaries) || differ(\.transfer) || differ(\.matrix)
        || containerCICP.isFullRange != bitstreamCICP.isFullRange
    else { return }
    var repaired = bitstreamCICP
    if !repaired.primaries.isSpecified { repaired.primaries = containerCICP.primaries }
    if !repaired.transfer.isSpecified { repaired.transfer = containerCICP.transfer }
    if !repaired.matrix.isSpecified { repaired.matrix = containerCICP.matrix }
    notices.append(
      Notice(
        .colorBitstreamDiffers,
        [
          "container": "\(containerCICP)", "bitstream": "\(bitstreamCICP)",
          "repaired": "\(repaired)",
        ], at: place))
  }

  /// Layout of the displayed samples, in stored order, without alpha.
  package var format: ImageLayout {
    let matrix = declaredMatrix ?? cicp?.matrix
    return ImageLayout(
      width: geometry.width, height: geometry.height,
      components: chroma == .yuv400 ? .gray : matrix == .identity ? .rgb : .ycbcr(chroma),
      samples: .integer(bits: bits))
  }

  /// Whether the samples are RGB with less resolution of blue and red.
  package var isSubsampledRGB: Bool { format.components == .rgb && chroma != .yuv444 }

  /// Throws an error unless two parts of one image have the same chroma format and bit depth.
  package func requireSameSamples(as other: ItemImage) throws(ImageError) {
    guard chroma == other.chroma, bits == other.bits else {
      throw ImageError(
        .malformed,
        "items {first} and {second} of one image have {bits bit} {chroma} and {otherBits bit} "
          + "{otherChroma}",
        [
          "first": id, "second": other.id, "bits": bits, "chroma": chroma.rawValue,
          "otherBits": other.bits, "otherChroma": other.chroma.rawValue,
        ])
    }
  }
}

extension CICP {
  /// Whether both primaries and transfer characteristics are specified.
  fileprivate var isColorSpecified: Bool { primaries.isSpecified && transfer.isSpecified }
}

extension ItemImage {
  /// The first coded item that the image is derived from; the item itself if it is coded.
  package var firstCodedID: UInt32 {
    switch source {
    case .coded: id
    case .identity(let input): input.firstCodedID
    case .grid(_, let parts), .overlay(_, let parts): parts[0].firstCodedID
    }
  }
}

extension HEIFFile {
  /// The ITU-T T.35 messages in the bitstream of an image, or of the first input of a derived
  /// image.
  ///
  /// Unreadable bitstream headers are reported in a notice.
  ///
  /// - Throws: Errors that end the whole job.
  package func registeredMessages(
    of image: ItemImage, notices: inout [Notice]
  ) throws(ImageError) -> [[UInt8]] {
    do throws(ImageError) {
      return try registeredMessages(of: image.firstCodedID)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(Notice(.bitstreamMessagesUnreadable, ["cause": error], at: error.location))
      return []
    }
  }
}

/// The codec of an image item.
package enum ItemCodec: Hashable, Sendable {
  case hevc
  case av1

  /// The library that decodes the items.
  package var library: String { self == .hevc ? "libde265" : "dav1d" }

  /// Type of the items that the codec encodes.
  package var itemType: FourCC { self == .hevc ? "hvc1" : "av01" }
}
