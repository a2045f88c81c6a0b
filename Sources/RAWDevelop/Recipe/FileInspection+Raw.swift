public import HDRCore
internal import ImageCodecs
public import ImageContainers
public import ImageFiles

extension FileInspection {
  /// Looks into a file of any kind, and deeper into raw ones.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - options: Limits, and the meaning of what the file leaves open.
  /// - Returns: What the file says, and what it says as a raw one; a raw file that cannot be developed
  ///   has a notice that says why.
  /// - Throws: As `inspect(_:options:)`.
  public static func inspectDeeply(
    _ source: ByteSource, options: OpeningOptions = OpeningOptions()
  ) throws(ImageError) -> (file: FileInspection, raw: RawInspection?) {
    guard FileFormat.sniff(try source.prefix(32)) != .raw else {
      guard let raw = try RawInspection.inspect(source, limits: options.limits) else {
        throw ImageError(.notOfFormat, ["format": "raw"])
      }
      return (FileInspection(raw, source), raw)
    }
    var file = try inspect(source, options: options)
    do throws(ImageError) {
      let raw = try RawInspection.inspect(source, limits: options.limits)
      for notice in raw?.notices ?? [] where !file.notices.contains(notice) {
        file.notices.append(notice)
      }
      return (file, raw)
    } catch {
      file.notices.append(
        Notice(.rawNotDevelopable, ["cause": error], at: error.location))
      return (file, nil)
    }
  }

  /// What LibRaw says about a file whose headers nobody else reads.
  private init(_ raw: RawInspection, _ source: ByteSource) {
    let area = raw.recipe?.activeArea
    let isMosaic = raw.kind == .bayer || raw.kind == .mosaic
    let picture = PictureInspection(
      name: "raw", role: .primary,
      format: ImageLayout(
        width: area?.width ?? 0, height: area?.height ?? 0,
        components: isMosaic ? .gray : .rgb, samples: .integer(bits: 16)),
      orientation: raw.recipe?.orientation ?? .upright,
      coding: CodecConfiguration("camera raw"),
      interpretation: isMosaic ? "Color Filter Array" : "Linear Raw")
    self.init(
      format: .raw, source: source, pictures: [picture], notices: raw.notices, structure: [])
  }
}
