internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// `hdrconvert extract IN -o OUT`.
struct Extract: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take one coded picture, or metadata, out of HEIF, AVIF, PNG, JPEG or raw files.",
    discussion: """
      A picture comes out as a file of its own with the same coded data: a tile, a hidden gain map, a \
      matte or a thumbnail of HEIF and AVIF, a grid with all of its tiles, an appended picture of JPEG. \
      The largest preview of a raw file comes out byte for byte, a matte of DNG as an upright PNG.

      examples:
        hdrconvert extract IMG_1.HEIC -o tile.heic --item 7
        hdrconvert extract IMG_1.HEIC -o sky.heic --matte sky
        hdrconvert extract IMG_1.DNG -o preview.jpg --preview
        hdrconvert extract IMG_1.DNG -o skin.png --matte skin
        hdrconvert extract photo.avif -o photo.icc --icc
        hdrconvert extract pixel.jpg -o map.xmp --item 1 --xmp
      """)

  @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "in"))
  var input: String

  @OptionGroup var target: OutputOptions

  @Option(
    help: ArgumentHelp(
      "The picture: an item of HEIF or AVIF, a picture of JPEG from 0. With --exif, --xmp and "
        + "--icc: whose metadata.", valueName: "n"))
  var item: UInt32?

  @Flag(help: "The largest thumbnail; of a raw file, the largest preview.")
  var preview = false

  @Option(
    help: ArgumentHelp(
      "A matte or another auxiliary picture: portrait, skin, hair, teeth, glasses, sky, alpha, "
        + "or its URN.", valueName: "name"))
  var matte: String?

  @Flag(help: "The depth map.")
  var depthMap = false

  @Flag(help: "Exif, from its TIFF header on.")
  var exif = false

  @Flag(help: "The XMP packet.")
  var xmp = false

  @Flag(help: "The ICC profile.")
  var icc = false

  @OptionGroup(title: "Limits") var costs: LimitOptions

  func validate() throws {
    let metadata = [exif, xmp, icc].count { $0 }
    let pictures = [preview, matte != nil, depthMap].count { $0 }
    guard metadata + pictures == 1 || metadata + pictures == 0 && item != nil else {
      throw ValidationError(
        "say one of --item, --preview, --matte, --depth-map, --exif, --xmp and --icc")
    }
    guard item == nil || pictures == 0 else {
      throw ValidationError("--item names a picture by itself")
    }
  }

  func run() throws {
    let file = target.file
    try file.ensureWritable()
    let limits = try costs.limits()
    let bytes = try during(.reading, input) { () throws(ImageError) in
      let file = try openImage(input, options: OpeningOptions(limits: limits))
      if let raw = try EmbeddedRawImages(file) { return try part(of: raw) }
      return try part(of: file)
    }
    try during(.writing, file.path) { () throws(ImageError) in
      _ = try file.write { sink throws(ImageError) in
        try bytes.forEachBlock { block throws(ImageError) in try sink.append(block) }
      }
    }
  }

  private func part(of file: ImageFile) throws(ImageError) -> SplicedBytes {
    if exif { return try raw("Exif", try file.summary(of: item).exif) }
    if xmp { return try raw("XMP", try file.summary(of: item).xmp) }
    if icc { return try raw("ICC profile", try file.summary(of: item).profile) }
    if preview { return try present("thumbnail", try file.preview()) }
    if let item { return try file.standalone(item) }
    let name = matte.map { $0.lowercased() == "portrait" ? "portraiteffects" : $0 } ?? "depth"
    guard
      let picture = file.namedAuxiliaries.first(where: {
        $0.name == name.lowercased() || $0.type == name || $0.type.hasSuffix(":\(name)")
      })
    else {
      let names = file.namedAuxiliaries.map(\.name)
      throw ImageError(.extractAuxiliaryUnknown, ["name": name, "known": names])
    }
    return try file.standalone(picture.item)
  }

  private func part(of file: EmbeddedRawImages) throws(ImageError) -> SplicedBytes {
    if preview { return try file.preview() }
    guard let matte else {
      throw ImageError(.extractNotFromRaw)
    }
    var bytes = SplicedBytes(source: ByteSource([]))
    bytes.append(try file.matte(named: matte))
    return bytes
  }

  private func raw(_ name: String, _ metadata: [UInt8]?) throws(ImageError) -> SplicedBytes {
    var bytes = SplicedBytes(source: ByteSource([]))
    bytes.append(try present(name, metadata))
    return bytes
  }

  private func present<Part>(_ name: String, _ part: Part?) throws(ImageError) -> Part {
    guard let part else { throw ImageError(.extractPartMissing, ["part": name]) }
    return part
  }
}
