public import HDRCore
internal import ImageContainers

/// SMPTE ST 2094-50 metadata of a picture, and where its file has it.
public struct FoundAdaptation: Hashable, Sendable {
  /// Carrier of the metadata in the file.
  public enum Carrier: String, Hashable, Sendable {
    /// The `HAGC` tag of the ICC profile.
    case profile = "ICC profile (HAGC)"
    /// A message of ITU-T T.35: SEI of HEVC, a metadata unit of AV1.
    case bitstream = "bitstream (ITU-T T.35)"
  }

  /// Carrier of the metadata.
  public var carrier: Carrier
  /// The metadata.
  public var adaptation: HeadroomAdaptation
}

/// All that a file says with SMPTE ST 2094-50.
package struct FoundAdaptations {
  /// The strongest first: containers, which the picture's author writes last, before bitstreams.
  package private(set) var all: [FoundAdaptation] = []
  /// What cannot be read, makes no sense or is contradicted.
  package private(set) var notices: [Notice] = []

  /// - Parameters:
  ///   - icc: The picture's profile.
  ///   - messages: Those of ITU-T T.35 in its bitstream.
  ///   - transfer: What the metadata is about: PQ, HLG and linear light only.
  package init(icc: [UInt8]?, messages: [[UInt8]], transfer: TransferFunction) {
    read(.profile) { () throws(ImageError) in
      guard let icc, let profile = try? ICCProfile(parsing: icc) else { return nil }
      return try profile.headroomAdaptation()
    }
    for message in messages {
      read(.bitstream) { () throws(ImageError) in try HeadroomAdaptation(parsingT35: message) }
    }
    guard let first = all.first else { return }
    switch transfer {
    case .pq, .hlg, .linear: break
    default:
      all = []
      notices.append(Notice(.adaptationWithoutHeadroom))
      return
    }
    notices += first.adaptation.toneMap?.oddities ?? []
    if let other = all.first(where: { $0.adaptation != first.adaptation }) {
      notices.append(
        Notice(
          .adaptationCopiesDiffer,
          ["first": first.carrier.rawValue, "second": other.carrier.rawValue]))
    }
  }

  private mutating func read(
    _ carrier: FoundAdaptation.Carrier, _ body: () throws(ImageError) -> HeadroomAdaptation?
  ) {
    do throws(ImageError) {
      guard let adaptation = try body() else { return }
      all.append(FoundAdaptation(carrier: carrier, adaptation: adaptation))
    } catch {
      notices.append(
        Notice(.adaptationUnreadable, ["cause": error], at: error.location))
    }
  }
}
