internal import Foundation
public import HDRCore

/// The record as JSON, schema `hdrconvert/gainmap-extract/1`: see `Documentation/GainMapJSON.md`.
///
/// ```json
/// {
///   "schema": "hdrconvert/gainmap-extract/1",
///   "flavor": "iso",
///   "map": {"width": 1008, "height": 756, "components": 1, "bits": 8},
///   "iso21496": {
///     "base_hdr_headroom": "0/1",
///     "alternate_hdr_headroom": "531343/200000",
///     "use_base_colour_space": true,
///     "channels": [
///       {"gain_map_min": "0/1", "gain_map_max": "531343/200000", "gain_map_gamma": "1/1",
///        "base_offset": "1/64", "alternate_offset": "1/64"}
///     ]
///   },
///   "alternate": {"cicp": [9, 16, 9, 1], "maxCLL": 1200, "maxFALL": 80},
///   "numbers": [{"name": "...", "text": "...", "source": "iso-payload", "origin": "..."}]
/// }
/// ```
///
/// Fractions are exact, as the file has them; reading takes decimals too, as text or as numbers. A
/// map of Apple's has `"apple": {"headroom": 4.88, "curve": "srgb"}` in place of `iso21496`. Only
/// `schema` and one of these two are needed. What further flavors say stands in `others`, the XMP of
/// the map in `xmp`, and the numbers of Apple's maker note in `makerNote`.
extension GainMapRecord {
  public static let schema = "hdrconvert/gainmap-extract/1"

  /// More than any record has with its profile.
  public static let longestJSON = 1 << 25

  /// The record as UTF-8 text.
  ///
  /// - Throws: Never for numbers that a record can hold.
  public func json() throws(ImageError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(GainMapSpelledRecord(self)) else {
      throw ImageError(.gainMapJSONNotEncodable)
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// Reads a record.
  ///
  /// - Parameter bytes: UTF-8 text.
  /// - Throws: `.malformed` with the key that is missing or makes no sense, `.limitExceeded` for more
  ///   than `longestJSON` bytes.
  public init(json bytes: [UInt8]) throws(ImageError) {
    guard bytes.count <= Self.longestJSON else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "gain map metadata", "size": bytes.count, "limit": Self.longestJSON])
    }
    let spelling: GainMapSpelledRecord
    do {
      spelling = try JSONDecoder().decode(GainMapSpelledRecord.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw ImageError(error)
    } catch {
      throw ImageError(.jsonInvalid, ["detail": "not JSON"])
    }
    self = try spelling.record
  }

  /// Whether bytes look like JSON rather than a picture.
  public static func isJSON(_ prefix: [UInt8]) -> Bool {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    return prefix.first { !blanks.contains($0) } == UInt8(ascii: "{")
  }

  /// What JSON has no key for.
  public var unspoken: [Notice] {
    var notices: [Notice] = []
    var hdr = alternate.hdr
    hdr.contentLightLevel = nil
    if hdr != LightMetadata() {
      notices.append(
        Notice(.gainMapJSONLightDropped))
    }
    if let xmp, String(bytes: xmp, encoding: .utf8) == nil {
      notices.append(Notice(.gainMapJSONXMPDropped))
    }
    return notices
  }
}

extension ImageError {
  /// What is wrong with a JSON text.
  fileprivate init(_ error: DecodingError) {
    let (message, context): (String, DecodingError.Context) =
      switch error {
      case .keyNotFound(let key, let context):
        ("'\(key.stringValue)' is missing", context)
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context.debugDescription, context)
      @unknown default: ("no JSON of this schema", .init(codingPath: [], debugDescription: ""))
      }
    self.init(
      .jsonInvalid, ["detail": message], at: .init(path: context.codingPath.map(\.stringValue)))
  }
}
