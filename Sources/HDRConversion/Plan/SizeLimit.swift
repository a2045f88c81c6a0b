// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// The size of a lossy file that is made of another one: at most that of its input, unless the request specifies the
/// quality.
///
/// The difference that a second encoding adds is hidden by the first one's, so that more bytes are wasted. The quality
/// is reduced until the file is small enough, at most to two thirds of the usual number. If the file is larger by a tenth
/// even so, it has the usual quality.
struct SizeLimit {
  /// Size of the input.
  private let byteCount: Int
  /// The quality without a limit.
  private let usualQuality: Int
  /// The quality of the present trial.
  private(set) var quality: Int
  private var trials: [(quality: Int, byteCount: Int)] = []

  /// A limit for the work of a plan; `nil` if the quality is requested, if samples are not encoded with loss, and for an
  /// input of another size or without loss.
  ///
  /// - Throws: Errors that end the whole job.
  init?(
    _ request: ConversionRequest, _ source: ConversionSource, _ work: ConversionPlan.Work
  ) throws(ImageError) {
    guard request.coding.quality == nil, case .file(let file) = source, try !file.isRaw,
      file.format.traits.hasQuality, let usual = work.quality, try Self.keepsSize(request, file)
    else { return nil }
    (byteCount, usualQuality, quality) = (file.source.count, usual, usual)
  }

  /// Reduces the quality for another trial.
  ///
  /// - Parameter count: Bytes that the present trial took.
  /// - Returns: Whether another trial is to be made: the file is too large, and less quality helps without being visible.
  mutating func reducesQuality(byteCount count: Int) -> Bool {
    let least = usualQuality * 2 / 3
    guard count > byteCount, trials.count < Self.mostTrials, quality > least else { return false }
    // A number less takes some percent of the bytes.
    var slope = 0.06
    if let last = trials.last {
      slope = max(
        log(Double(last.byteCount) / Double(count)) / Double(last.quality - quality), 0.02)
    }
    trials.append((quality, count))
    let steps = (log(Double(count) / Double(byteCount)) / slope).rounded(.up)
    // The last trial is to be small enough.
    let margin = trials.count == Self.mostTrials ? 1 : 0
    quality = max(quality - max(Int(clamping: steps), 1) - margin, least)
    return true
  }

  /// The notice about the file.
  ///
  /// - Parameter count: Bytes of the last trial.
  /// - Returns: `nil` for a file of the usual quality that is small enough.
  func notice(byteCount count: Int) -> Notice? {
    if let usual = trials.first, count > byteCount + byteCount / 10 {
      return Notice(
        .convertLargerThanInput,
        ["count": usual.byteCount, "input": byteCount, "quality": quality, "least": count])
    }
    guard quality < usualQuality else { return nil }
    return Notice(.convertQualityReduced, ["quality": quality, "usual": usualQuality])
  }

  /// Each takes as long as the first.
  private static let mostTrials = 3

  /// Whether the output has as many pixels as the image of the file.
  private static func keepsSize(
    _ request: ConversionRequest, _ file: ImageFile
  ) throws(ImageError) -> Bool {
    guard let size = try ifReadable(try file.contents().primary.uprightSize),
      let geometry = try ifReadable(
        try request.geometry.edit(of: size).edit.parameters(
          width: size.width, height: size.height, orientation: .upright,
          limits: file.options.limits))
    else { return false }
    return geometry.resampling.isIdentity(forWidth: size.width, height: size.height)
  }
}

extension ConversionPlan.Work {
  /// Quality of the image that is encoded with loss; `nil` for other work, and for two given images.
  fileprivate var quality: Int? {
    switch self {
    case .convert(let options, _, _): options.encoder.lossyQuality(in: options.format)
    case .create(let options, standard: nil): options.encoder.lossyQuality(in: options.format)
    case .transcode(let options), .swap(let options), .sameFormat(.edit(let options), _):
      options.base.lossyQuality(in: options.format)
    case .create, .join, .edit, .sameFormat: nil
    }
  }

  /// The work with another quality of the image, and of the gain map with it.
  func with(quality: Int) -> Self {
    func changed(_ options: GainMapTranscoder.Options) -> GainMapTranscoder.Options {
      var changed = options
      changed.base.quality = quality
      changed.map.quality = max(options.map.quality - (options.base.quality - quality), 0)
      return changed
    }
    switch self {
    case .convert(var options, let development, let map):
      options.encoder.quality = quality
      return .convert(options, development, map)
    case .create(var options, let standard):
      options.encoder.quality = quality
      return .create(options, standard: standard)
    case .transcode(let options): return .transcode(changed(options))
    case .swap(let options): return .swap(changed(options))
    case .sameFormat(.edit(let options), let dropsGainMap):
      return .sameFormat(.edit(changed(options)), dropsGainMap: dropsGainMap)
    case .join, .edit, .sameFormat: return self
    }
  }
}

extension EncoderOptions {
  /// The quality of a file that is to be small; half floats take more bytes than those of any input.
  fileprivate func lossyQuality(in format: FileFormat) -> Int? {
    format.traits.hasQuality && !format.traits.storesLinearValues && !isLossless ? quality : nil
  }
}
