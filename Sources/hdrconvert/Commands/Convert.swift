internal import ArgumentParser
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// `hdrconvert IN -o OUT`.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make an ISO 22028-5 picture (PQ or HLG: HEIF, AVIF, PNG, TIFF), or linear OpenEXR.",
    discussion: """
      Light levels are measured from the pixels and written along. PQ is never tone mapped.

      examples:
        hdrconvert render.exr -o photo.avif
        hdrconvert render.exr -o photo.heic --transfer hlg --depth 10 --yuv 420
        hdrconvert render.tif --assume linear,bt2020 -o photo.png --exposure 0.5
        hdrconvert photo.avif -o exact.heic --lossless --depth 12
        hdrconvert photo.heic -o small.avif --crop 200,100,3000,2000 --resize 1500 --rotate 90
        hdrconvert IMG_0002.DNG -o photo.avif --exposure 0.5
        hdrconvert IMG_0002.DNG -o calm.avif --extended-dynamic-range 0.5 --temperature 5200
        hdrconvert IMG_0002.DNG -o small.avif --scale-factor 0.25
        hdrconvert IMG_0002.DNG -o scene.exr --scene-linear
        hdrconvert IMG_0001.HEIC -o small.heic --gainmap keep --resize 2048
        cat render.exr | hdrconvert - --to avif -o - > photo.avif
      """)

  @OptionGroup var conversion: ConversionArguments

  @Option(
    name: .customLong("gainmap"),
    help: ArgumentHelp(
      """
      A gain map of the input: apply it in full, drop it, or keep it beside its base, both cut and \
      sized alike, coded as they were; what is only turned is not coded again. Default: apply, but \
      keep where only geometry is asked for and the output is of the input's kind.
      """))
  var gainMap: GainMapChoice?

  enum GainMapChoice: String, ExpressibleByArgument, CaseIterable {
    case apply
    case keep
    case drop
  }

  enum GainMapPolicy: String, ExpressibleByArgument, CaseIterable {
    case apply
    case drop
  }

  func run() throws {
    switch gainMap {
    case .apply: try conversion.run(gainMap: .full)
    case .drop:
      let file = try conversion.openInput()
      guard try conversion.staysJPEG(file) else {
        return try conversion.run(gainMap: .none, of: file)
      }
      try conversion.keepGainMap(of: file, dropping: true)
    case .keep: try conversion.keepGainMap(of: nil)
    case nil:
      let file = try conversion.openInput()
      guard try conversion.asksForGeometryAlone() else {
        if try conversion.staysJPEG(file) { try conversion.checkStaysJPEG() }
        return try conversion.run(gainMap: .full, of: file)
      }
      guard try conversion.canStay(file) else {
        return try conversion.run(gainMap: .full, of: file)
      }
      try conversion.keepGainMap(of: file, saying: Notice(.convertGainMapKept))
    }
  }
}

/// The format that is asked for, or that the name of the output tells.
func outputFormat(_ output: String, to named: String?) throws(Failure) -> FileFormat {
  let suffix = named ?? (output as NSString).pathExtension
  guard let format = FileFormat(suffix: suffix) else {
    throw Failure(
      usage: suffix.isEmpty
        ? "say the output's format with --to" : "'\(suffix)' is no output format known here")
  }
  return format
}
