// SPDX-License-Identifier: Apache-2.0
internal import Platform
package import HDRCore

/// Metadata of a detached gain map as JSON: see `Documentation/JSON.md`.
///
/// ```json
/// {
///   "schema": "hdrconvert/gainmap-metadata/1",
///   "flavor": "iso",
///   "map": {"width": 1008, "height": 756, "componentCount": 1, "bitsPerSample": 8,
///           "orientation": 6},
///   "iso21496": {
///     "base_hdr_headroom": "0/1",
///     "alternate_hdr_headroom": "531343/200000",
///     "use_base_colour_space": true,
///     "channels": [
///       {"gain_map_min": "0/1", "gain_map_max": "531343/200000", "gain_map_gamma": "1/1",
///        "base_offset": "1/64", "alternate_offset": "1/64"}
///     ]
///   },
///   "alternate": {"cicp": [9, 16, 9, 1], "maxCLLNits": 1200, "maxFALLNits": 80},
///   "numbers": [{"name": "...", "value": "...", "source": "iso-payload", "origin": "..."}]
/// }
/// ```
///
/// Fractions are those of the file; decimals are parsed as well, as text or as numbers. An Apple gain
/// map has `"apple": {"headroomRatio": 4.88, "curve": "srgb"}` instead of `iso21496`. Only `schema` and one
/// of these two are required. `others` contains the metadata of other flavors, `xmp` the XMP of the
/// gain map, `makerNote` the numbers of the Apple maker note.
extension FoundGainMap {
  /// Name and version of the JSON schema.
  package static let jsonSchema = "hdrconvert/gainmap-metadata/1"

  /// Largest JSON that is parsed, in bytes: more than any metadata with an ICC profile.
  package static let largestJSON = 1 << 25

  /// Returns the metadata as JSON text in UTF-8.
  ///
  /// - Throws: `.invalidArgument` if no metadata can be read.
  package func json() throws(ImageError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = try GainMapJSON(self)
    guard let data = try? encoder.encode(json) else {
      throw ImageError(.codecFailure, "the gain map metadata cannot be written as JSON")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// Creates a gain map from JSON; its samples are the image of another file.
  ///
  /// - Parameter bytes: JSON text in UTF-8.
  /// - Throws: `.malformed` with the key that is missing or invalid, `.limitExceeded` for more than
  ///   `largestJSON` bytes.
  package init(json bytes: [UInt8]) throws(ImageError) {
    guard bytes.count <= Self.largestJSON else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "gain map metadata", "size": bytes.count, "limit": Self.largestJSON])
    }
    let json: GainMapJSON
    do {
      json = try JSONDecoder().decode(GainMapJSON.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw ImageError(error)
    } catch {
      throw ImageError(.jsonInvalid, ["detail": "not JSON"])
    }
    self = try json.gainMap
  }

  /// Whether bytes begin like JSON and not like an image file.
  package static func isJSON(_ prefix: [UInt8]) -> Bool {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    return prefix.first { !blanks.contains($0) } == UInt8(ascii: "{")
  }

  /// Notices about metadata that JSON has no key for.
  package var notInJSON: [Notice] {
    var notices: [Notice] = []
    var light = alternate.light
    light.contentLightLevel = nil
    if light != LightMetadata() {
      notices.append(
        Notice(
          .dropped,
          "not copied: light metadata of the alternate image other than its content light level "
            + "(the JSON has no keys for them)"
        ))
    }
    if let xmp, String(bytes: xmp, encoding: .utf8) == nil {
      notices.append(Notice(.dropped, "not copied: XMP of the gain map (not UTF-8)"))
    }
    return notices
  }
}

extension ImageError {
  /// Creates the error of an invalid JSON text.
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
