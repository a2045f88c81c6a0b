internal import HDRConversion
public import HDRCore
internal import ImageCodecs
public import ImageContainers
public import ImageFiles
internal import Synchronization

/// A file under judgment: its structure, what it says about color and light, and its light.
public struct Subject: Sendable {
  public let format: FileFormat
  let source: ByteSource
  let heif: HEIFSubject?
  let png: PNGSubject?
  let jpeg: JPEGSubject?
  /// The picture as the codecs of this build see it, or why they do not.
  let opened: Result<PictureDocument, ImageError>
  let color: ColorFacts
  let light: LightFacts
  let profiles: [ProfileFact]
  private let measurement: Measurement

  /// Parses a file; nothing is decoded before a rule asks for its light.
  ///
  /// - Throws: `.malformed` for a file of no known kind, and what is so wrong with a file's structure
  ///   that there is nothing to judge.
  public init(_ source: ByteSource, options: OpeningOptions) throws(ImageError) {
    guard let format = FileFormat.sniff(try source.prefix(32)) else {
      throw ImageError(
        .malformed, "not a picture file of a kind known here", at: .init(offset: 0))
    }
    self.format = format
    self.source = source
    let isHEIF = format == .heif || format == .avif
    heif = isHEIF ? try HEIFSubject(source, limits: options.limits) : nil
    png = format == .png ? try PNGSubject(source, limits: options.limits) : nil
    jpeg = format == .jpeg ? try JPEGSubject(source, limits: options.limits) : nil
    do throws(ImageError) {
      opened = .success(try PictureDocument.open(source, options: options))
    } catch {
      let isUnstructured = heif == nil && png == nil && jpeg == nil
      // Without a structure that is parsed here there is nothing left to judge.
      if isUnstructured, error.code != .missingCodec, error.code != .unsupported { throw error }
      opened = .failure(error)
    }
    let facts = FactFinder(heif: heif, png: png, jpeg: jpeg, document: try? opened.get())
    profiles = facts.profiles()
    color = facts.color(profiles: profiles)
    light = facts.light()
    measurement = Measurement(opened, threads: options.threads)
  }

  /// Standards that the file claims to follow, or whose things it has.
  public var concerningStandards: Set<Standard> {
    var standards: Set<Standard> = []
    if color.isHighDynamicRange { standards.insert(.iso22028) }
    if heif != nil { standards.insert(.heif) }
    if let heif, heif.isAVIF { standards.insert(.avif) }
    if png != nil { standards.insert(.png) }
    if jpeg != nil { standards.insert(.jpeg) }
    if !profiles.isEmpty { standards.insert(.icc) }
    if hasISOGainMap { standards.insert(.iso21496) }
    return standards
  }

  /// The bytes of the file.
  public func bytes() throws(ImageError) -> [UInt8] { try source.allBytes() }

  var hasISOGainMap: Bool {
    heif?.toneMaps.isEmpty == false || jpeg?.images.contains { $0.isoPayload != nil } == true
  }

  /// The light of the primary picture.
  ///
  /// - Throws: Why it cannot be decoded.
  func measuredLight() throws(ImageError) -> LightLevels { try measurement.levels() }

  /// Whether coding may have changed samples.
  var isLossy: Bool { heif != nil || jpeg != nil }
}

/// Measures once, when the first rule asks.
private final class Measurement: Sendable {
  private let opened: Result<PictureDocument, ImageError>
  private let threads: Int
  private let result = Mutex<Result<LightLevels, ImageError>?>(nil)

  init(_ opened: Result<PictureDocument, ImageError>, threads: Int) {
    self.opened = opened
    self.threads = threads
  }

  func levels() throws(ImageError) -> LightLevels {
    let result = result.withLock { known in
      if let known { return known }
      let measured: Result<LightLevels, ImageError>
      do throws(ImageError) {
        measured = .success(try opened.get().base.measureLight(threads: threads))
      } catch {
        measured = .failure(error)
      }
      known = measured
      return measured
    }
    return try result.get()
  }
}
