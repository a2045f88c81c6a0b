// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

extension GainMapXMP {
  /// Parses the metadata of a gain map in any of their forms.
  ///
  /// Missing values are the defaults of Ultra HDR v1.0.
  ///
  /// - Parameters:
  ///   - packet: The packet of the gain map, not that of the baseline image.
  ///   - notices: Receives irregularities.
  /// - Returns: The metadata.
  /// - Throws: `.malformed` for missing or invalid numbers, `.unsupported` for another version.
  package static func description(
    of packet: XMPPacket, notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap.Description {
    var reader = Reader(packet: packet)
    do throws(ImageError) {
      let description = try reader.read()
      notices += reader.notices
      return description
    } catch {
      throw error.inside("XMP \(prefix)")
    }
  }

  private struct Reader {
    let packet: XMPPacket
    var notices: [Notice] = []
    private var numbers: [FoundGainMap.Description.Number] = []

    init(packet: XMPPacket) { self.packet = packet }

    mutating func read() throws(ImageError) -> FoundGainMap.Description {
      try checkVersion()
      let isBaseHDR = try readBaseIsHDR()
      let capacityMinimum: UnsignedRational = try scalar(.capacityMinimum)
      let capacityMaximum: UnsignedRational = try scalar(.capacityMaximum)
      guard capacityMinimum.value <= capacityMaximum.value else {
        throw ImageError(
          .malformed, "HDRCapacityMin {minimum} is above HDRCapacityMax {maximum}",
          ["minimum": capacityMinimum.value, "maximum": capacityMaximum.value])
      }
      let minimum: [SignedRational] = try components(.minimum)
      let maximum: [SignedRational] = try components(.maximum)
      let gamma: [UnsignedRational] = try components(.gamma)
      let offsetSDR: [SignedRational] = try components(.offsetSDR)
      let offsetHDR: [SignedRational] = try components(.offsetHDR)
      let (baseOffset, alternateOffset) =
        isBaseHDR ? (offsetHDR, offsetSDR) : (offsetSDR, offsetHDR)
      func channel(_ index: Int) -> GainMapMetadata.Channel {
        GainMapMetadata.Channel(
          minimum: minimum[min(index, minimum.count - 1)],
          maximum: maximum[min(index, maximum.count - 1)],
          gamma: gamma[min(index, gamma.count - 1)],
          baseOffset: baseOffset[min(index, baseOffset.count - 1)],
          alternateOffset: alternateOffset[min(index, alternateOffset.count - 1)])
      }
      let isMultichannel =
        [minimum.count, maximum.count, gamma.count, offsetSDR.count, offsetHDR.count].max() == 3
      let metadata = try GainMapMetadata(
        channels: isMultichannel
          ? .three(red: channel(0), green: channel(1), blue: channel(2)) : .one(channel(0)),
        baseHeadroom: isBaseHDR ? capacityMaximum : capacityMinimum,
        alternateHeadroom: isBaseHDR ? capacityMinimum : capacityMaximum,
        usesBaseColorSpace: true)
      for notice in metadata.peculiarities { note(notice.code, notice.parameters) }
      return FoundGainMap.Description(
        flavor: .xmp, metadata: metadata, numbers: numbers)
    }

    private mutating func checkVersion() throws(ImageError) {
      guard let version = packet[versionName]?.text else { return note(.gainMapXMPVersionMissing) }
      guard version == GainMapXMP.version || version.hasPrefix("1.") else {
        throw ImageError(
          .unsupportedValue, ["field": "hdrgm:Version", "value": version.prefix(20)])
      }
    }

    private mutating func readBaseIsHDR() throws(ImageError) -> Bool {
      let isHDR: Bool
      let source: FoundGainMap.Description.Number.Source
      let origin: String
      if let text = packet[GainMapXMP.isBaseHDR]?.text {
        guard let value = Bool(text.lowercased()) else {
          throw ImageError(
            .invalidValue, ["field": "BaseRenditionIsHDR", "value": text.prefix(20)])
        }
        if text != "True", text != "False" {
          note(.gainMapBaseRenditionSpelling, ["value": text])
        }
        (isHDR, source, origin) = (value, .xmp, "hdrgm:BaseRenditionIsHDR")
      } else if let text = packet[legacyBase]?.text {
        isHDR = ["HDR", "HighDynamicRange"].contains(text)
        (source, origin) = (.xmp, "hdrgm:BaseRendition")
      } else {
        (isHDR, source, origin) = (false, .formatDefault, "hdrgm:BaseRenditionIsHDR is absent")
      }
      numbers.append(.init("base", isHDR ? "HDR" : "SDR", source, from: origin))
      return isHDR
    }

    private mutating func scalar<Numerator>(
      _ field: Field
    ) throws(ImageError) -> Rational<Numerator> {
      let values: [Rational<Numerator>] = try components(field)
      guard values.count == 1 else {
        throw ImageError(
          .invalidValue, ["field": "number of values of \(field.rawValue)", "value": values.count])
      }
      return values[0]
    }

    /// Parses one or three numbers.
    private mutating func components<Numerator>(
      _ field: Field
    ) throws(ImageError) -> [Rational<Numerator>] {
      guard let texts = texts(field) else {
        guard let defaultText = field.defaultText,
          let value = Rational<Numerator>(decimal: defaultText)
        else { throw ImageError(.missingElement, ["element": field.rawValue]) }
        numbers.append(
          .init(
            field.rawValue, defaultText, .formatDefault, from: "hdrgm:\(field.rawValue) is absent"))
        return [value]
      }
      numbers.append(
        .init(
          field.rawValue, texts.map { String($0.prefix(40)) }.joined(separator: ", "), .xmp,
          from: "hdrgm:\(field.rawValue)"))
      guard texts.count == 1 || texts.count == 3 else {
        throw ImageError(
          .invalidValue, ["field": "number of values of \(field.rawValue)", "value": texts.count])
      }
      var values: [Rational<Numerator>] = []
      for text in texts {
        guard let value = Rational<Numerator>(decimal: text) else {
          throw ImageError(.invalidValue, ["field": field.rawValue, "value": text.prefix(40)])
        }
        values.append(value)
      }
      return values
    }

    private func texts(_ field: Field) -> [String]? {
      guard let value = packet[field.name] else { return nil }
      guard case .text(let text) = value, text.contains(",") else { return value.texts }
      // Some writers store three numbers in one text.
      return text.split(separator: ",").map(String.init)
    }

    private mutating func note(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
      notices.append(Notice(code, parameters, at: .init(path: ["XMP \(prefix)"])))
    }
  }
}
