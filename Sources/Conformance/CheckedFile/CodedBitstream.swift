// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
