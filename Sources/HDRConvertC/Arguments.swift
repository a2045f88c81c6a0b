// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

// Values of options.

extension FileFormat {
  /// Reads the suffix of a format.
  ///
  /// - Throws: `.invalidArgument` for NULL and for formats that are not written.
  init(named suffix: UnsafePointer<CChar>?) throws(ImageError) {
    guard let suffix = unsafe suffix else {
      throw ImageError(.optionMissing, ["option": "format"])
    }
    let text = unsafe String(cString: suffix)
    guard let format = FileFormat(suffix: text),
      !format.traits.standardDepths.all.isEmpty || !format.traits.highDynamicRangeDepths.all.isEmpty
    else {
      throw ImageError(.optionInvalid, ["option": "format", "value": text])
    }
    self = format
  }
}

extension EncoderOptions {
  /// Quality of a gain map unless one is given.
  static let usualGainMapQuality = 95

  /// Reads quality and speed; -1 stands for the default of the format.
  init(
    quality: Int32, speed: Int32, isLossless: Bool = false, for format: FileFormat
  ) throws(ImageError) {
    guard (-1...100).contains(quality) else {
      throw ImageError(.optionInvalid, ["option": "quality", "value": quality])
    }
    guard (-1...10).contains(speed) else {
      throw ImageError(.optionInvalid, ["option": "speed", "value": speed])
    }
    self.init(
      quality: quality < 0 ? format.traits.usualQuality : Int(quality), isLossless: isLossless,
      speed: speed < 0 ? format.traits.usualSpeed : Int(speed))
  }
}

extension ChromaSubsampling {
  /// Reads an option such as 420; `nil` for 0.
  ///
  /// - Throws: `.invalidArgument` for other numbers.
  init?(option code: Int32) throws(ImageError) {
    guard code != 0 else { return nil }
    guard let chroma = ChromaSubsampling(rawValue: String(code)) else {
      throw ImageError(.optionInvalid, ["option": "chroma", "value": code])
    }
    self = chroma
  }
}

extension Set<GainMapFlavor> {
  /// Reads names of flavors, separated by commas; `nil` for NULL.
  ///
  /// - Throws: `.invalidArgument` for other names.
  init?(named names: UnsafePointer<CChar>?) throws(ImageError) {
    guard let names = unsafe names else { return nil }
    self = []
    for name in unsafe String(cString: names).split(
      separator: ",", omittingEmptySubsequences: false)
    {
      guard let flavor = GainMapFlavor(rawValue: String(name)) else {
        throw ImageError(.optionInvalid, ["option": "flavors", "value": name])
      }
      insert(flavor)
    }
  }
}

/// Progress of conversions, which have stages.
enum ProgressReport {
  /// Reports the share of the current stage to the current execution; `nil` without a receiver.
  static var current: ((ConversionEvent) -> Void)? {
    let execution = Execution.current
    guard let progress = execution.progress else { return nil }
    return { event in
      guard case .progress(_, let share) = event, !progress(share) else { return }
      execution.cancel()
    }
  }
}
