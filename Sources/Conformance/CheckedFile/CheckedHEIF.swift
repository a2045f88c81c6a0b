// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A HEIF or AVIF file with the headers of its bitstreams.
struct CheckedHEIF: Sendable {
  let file: HEIFFile
  let byteCount: Int
  /// Coded and derived images, except tone maps.
  let images: [HEIFItem]
  private let bitstreams: [UInt32: Result<CodedBitstream, ImageError>]
  /// Offset of the first box of each type in `meta`.
  private let metaOffsets: [FourCC: Int]

  init(_ file: HEIFFile, byteCount: Int) throws(ImageError) {
    self.file = file
    self.byteCount = byteCount
    images = file.items.filter {
      Self.codedTypes.contains($0.type) || Self.derivedTypes.contains($0.type)
    }
    metaOffsets = Dictionary(
      file.layout.metaBoxLocations.map { ($0.type, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    bitstreams = try CodedBitstream.all(of: file, budget: 2 * byteCount)
  }

  var isAVIF: Bool {
    file.fileType.contains("avif") || file.fileType.contains("avis")
      || primary.map { coded(of: $0).contains { $0.type == "av01" } } ?? false
  }

  var primary: HEIFItem? { file.primaryItemID.flatMap(file.item) }

  func items(_ type: FourCC) -> [HEIFItem] { file.items.filter { $0.type == type } }

  var toneMaps: [HEIFItem] { items("tmap") }

  /// The coded images of an image: itself, or the tiles of a grid.
  func coded(of item: HEIFItem) -> [HEIFItem] {
    if Self.codedTypes.contains(item.type) { return [item] }
    return file.references(from: item.id, type: "dimg").compactMap(file.item).filter {
      Self.codedTypes.contains($0.type)
    }
  }

  /// Configuration of the primary image, or of its first tile.
  var primaryHEVC: HEVCConfigurationBox? {
    primary.flatMap { coded(of: $0).first }?.property(HEVCConfigurationBox.self)
  }

  /// The brand that the primary image requires as HEVC, if the file does not have it.
  var missingHEVCBrand: FourCC? { primaryHEVC.flatMap(file.fileType.missingBrand(for:)) }

  /// Headers of a coded image.
  ///
  /// - Throws: Errors of the headers.
  func bitstream(of id: UInt32) throws(ImageError) -> CodedBitstream {
    guard let result = bitstreams[id] else {
      throw ImageError(.unsupported, "unknown coding", at: .init(path: ["item \(id)"]))
    }
    return try result.get()
  }

  /// Location of a property of an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - type: Type of the property.
  ///   - number: Which of the properties of this type, from 0.
  /// - Returns: Path and offset of the property's box.
  func location(_ item: HEIFItem, _ type: FourCC, number: Int = 0) -> ImageError.Location {
    let property = item.properties.filter { $0.type == type }.dropFirst(number).first
    return ImageError.Location(
      path: ["item \(item.id)", type.description], offset: property?.offset)
  }

  /// Location of a box of `meta`.
  func location(ofMeta type: FourCC) -> ImageError.Location {
    ImageError.Location(path: ["meta", type.description], offset: metaOffsets[type])
  }

  /// Location of the data of an item.
  func location(_ item: HEIFItem) -> ImageError.Location {
    let offset: Int? =
      switch item.data {
      case .file(let parts), .itemDataBox(let parts): parts.first?.offset
      case .absent, .items, .external: nil
      }
    return ImageError.Location(path: ["item \(item.id)"], offset: offset)
  }

  static let codedTypes: Set<FourCC> = [
    "hvc1", "av01", "avc1", "jpeg", "j2k1", "vvc1", "evc1", "unci",
  ]
  static let derivedTypes: Set<FourCC> = ["grid", "iovl", "iden"]
}

extension HEIFItem {
  /// Properties of a type, in order.
  func all<Content: BoxContent>(_ type: Content.Type) -> [(content: Content, isEssential: Bool)] {
    properties.compactMap { property in
      (property.box.content as? Content).map { ($0, property.isEssential) }
    }
  }

  /// Transformative properties of the item.
  var transformations: [ItemProperty] { properties.filter(\.isTransformation) }
}

extension ItemProperty {
  /// Source: ISO/IEC 23008-12, 6.5: transformative item properties.
  var isTransformation: Bool { type == "clap" || type == "irot" || type == "imir" }
}

/// Headers of an encoded image, for any codec.
struct CodedBitstream: Sendable {
  let width: Int
  let height: Int
  let lumaDepth: Int
  let chromaDepth: Int
  let chroma: ChromaSubsampling
  /// Code points of the video usability information or the sequence header.
  let cicp: CICP?
  let av1: AV1Units?

  /// The units of an AV1 item.
  struct AV1Units: Sendable {
    let header: AV1SequenceHeader
    let types: [AV1OBU.UnitType]
    let metadata: [AV1Metadata]
  }

  /// Reads the headers of all encoded images of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - budget: Limit of item data to read, since items may overlap.
  /// - Returns: For each encoded image, its headers or the error.
  /// - Throws: Errors that end the validation.
  static func all(
    of file: HEIFFile, budget: Int
  ) throws(ImageError) -> [UInt32: Result<CodedBitstream, ImageError>] {
    var remaining = budget
    var streams: [UInt32: Result<CodedBitstream, ImageError>] = [:]
    for item in file.items {
      do throws(ImageError) {
        switch item.type {
        case "hvc1":
          guard let configuration = item.property(HEVCConfigurationBox.self) else { continue }
          streams[item.id] = .success(CodedBitstream(try configuration.sequenceParameterSet))
        case "av01":
          let count = try file.dataParts(of: item.id).reduce(0) { $0 + $1.count }
          remaining -= count
          guard remaining >= 0 else { throw ImageError(.bitstreamItemsOverlap) }
          streams[item.id] = .success(
            try file.withData(of: item.id) { bytes throws(ImageError) in
              try CodedBitstream(ofAV1: bytes)
            })
        default: continue
        }
      } catch {
        guard !error.endsValidation else { throw error }
        streams[item.id] = .failure(error.inside("item \(item.id)"))
      }
    }
    return streams
  }

  private init(_ set: HEVCSequenceParameterSet) {
    (width, height) = (set.width, set.height)
    (lumaDepth, chromaDepth) = (set.lumaBitDepth, set.chromaBitDepth)
    chroma = set.chroma
    cicp = set.usability?.cicp
    av1 = nil
  }

  private init(ofAV1 bytes: [UInt8]) throws(ImageError) {
    let units = try AV1OBU.split(bytes)
    guard let unit = units.first(where: { $0.type == .sequenceHeader }) else {
      throw ImageError(.missingElement, ["element": "sequence header"])
    }
    let header = try AV1SequenceHeader(parsing: unit)
    (width, height) = (header.maximumWidth, header.maximumHeight)
    (lumaDepth, chromaDepth) = (header.bitDepth, header.bitDepth)
    chroma = header.chroma
    cicp = header.cicp
    var metadata: [AV1Metadata] = []
    for unit in units where unit.type == .metadata {
      metadata.append(try AV1Metadata(parsing: unit))
    }
    av1 = AV1Units(header: header, types: units.map(\.type), metadata: metadata)
  }
}

extension ChromaSubsampling {
  var channelCount: Int { self == .yuv400 ? 1 : 3 }
}
