// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// SMPTE ST 2094-50 metadata of an image, and its carrier in the file.
public struct FoundHeadroomAdaptation: Hashable, Sendable {
  /// Carrier of the metadata in the file.
  public enum Carrier: String, Hashable, Sendable {
    /// The `HAGC` tag of the ICC profile.
    case profile = "ICC profile (HAGC)"
    /// An ITU-T T.35 message: HEVC SEI, AV1 metadata OBU.
    case bitstream = "bitstream (ITU-T T.35)"
  }

  /// Carrier of the metadata.
  public var carrier: Carrier
  /// The metadata.
  public var adaptation: HeadroomAdaptation
}

/// All SMPTE ST 2094-50 metadata of a file.
package struct FoundHeadroomAdaptations {
  /// In order of precedence: containers before bitstreams, since containers are written last.
  package private(set) var all: [FoundHeadroomAdaptation] = []
  /// Notices about unreadable, invalid and contradictory metadata.
  package private(set) var notices: [Notice] = []

  /// Collects the metadata of an image.
  ///
  /// - Parameters:
  ///   - icc: ICC profile of the image.
  ///   - messages: ITU-T T.35 messages in its bitstream.
  ///   - transfer: Transfer function of the image; the metadata apply to PQ, HLG and linear only.
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
      notices.append(
        Notice(.irregular, "ignored: ST 2094-50 metadata of an image without headroom"))
      return
    }
    notices += first.adaptation.toneMap?.peculiarities ?? []
    if let other = all.first(where: { $0.adaptation != first.adaptation }) {
      notices.append(
        Notice(
          .conflict, "ST 2094-50 metadata in {first} and {second} differ; using {first}",
          ["first": first.carrier.rawValue, "second": other.carrier.rawValue]))
    }
  }

  private mutating func read(
    _ carrier: FoundHeadroomAdaptation.Carrier, _ body: () throws(ImageError) -> HeadroomAdaptation?
  ) {
    do throws(ImageError) {
      guard let adaptation = try body() else { return }
      all.append(FoundHeadroomAdaptation(carrier: carrier, adaptation: adaptation))
    } catch {
      notices.append(
        Notice(
          .irregular, "ignored: ST 2094-50 metadata: {cause}", ["cause": error], at: error.location)
      )
    }
  }
}
