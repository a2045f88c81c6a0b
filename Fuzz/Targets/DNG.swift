// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Parses DNG files: directories, mattes, preview, and the image itself if it is small.
func exerciseDNG(_ bytes: [UInt8]) throws {
  let limits = ImageLimits(pixels: 1 << 16, side: 1 << 12, memory: 1 << 22)
  let dng = try DNGFile(TIFFFile(parsing: ByteSource(bytes), limits: limits), limits: limits)
  _ = try RawInspection.inspect(
    ImageFile(parsing: ByteSource(bytes), options: OpeningOptions(limits: limits)))
  for matte in try dng.mattes(limits: limits).found {
    let coverage = try? dng.decode(matte, limits: limits)
    try require(
      coverage.map { ($0.width, $0.height) == (matte.width, matte.height) } ?? true,
      "a mask has the size that it declares")
  }
  for preview in try dng.previews {
    try require(preview.bytes.upperBound <= bytes.count, "a preview lies within the file")
  }
  let samples = Result { try dng.decodeRaw(limits: limits) }
  let document = try SourceImage.open(
    ByteSource(bytes), options: OpeningOptions(limits: limits))
  let reader = try document.image.makeReader()
  try require((try? samples.get()) != nil, "an image is developed of samples that are readable")
  _ = try reader.read(rows: 0..<min(document.image.layout.height, 64))
}

/// Decodes lossless JPEG; the number of samples must not exceed the number of bits.
func exerciseLosslessJPEG(_ bytes: [UInt8]) throws {
  let jpeg = try LosslessJPEG(parsing: bytes)
  let samples = try jpeg.decode()
  try require(samples.count == jpeg.sampleCount, "as many samples as the header declares")
  try require(samples.count <= 8 * bytes.count, "a sample takes a bit")
}

/// Develops raw files that are small with different controls.
func exerciseDevelopment(_ bytes: [UInt8]) throws {
  let limits = ImageLimits(pixels: 1 << 12, side: 1 << 9, memory: 1 << 22)
  let file = try opened(bytes, limits)
  guard try file.isRaw else { return }
  _ = try SourceImage.open(file)
  let mattes = try EmbeddedRawImages(file)?.matteNames ?? []
  for var development in developments {
    if development.isSalvaging {
      development.localExposures = mattes.map { .init(matte: $0, stops: -1) }
    }
    let filter: LinearSpaceFilter = { pixels in
      for index in pixels.red.indices { pixels.red[index] /= 2 }
    }
    guard
      let document = try? SourceImage.open(
        file, developing: development,
        linearSpaceFilter: development.isDraftModeEnabled ? filter : nil),
      let reader = try? document.image.makeReader()
    else { continue }
    let rows = try reader.read(rows: 0..<document.image.layout.height)
    try require(
      rows.layout.width == document.image.layout.width, "an image has the declared width")
  }
}

private let developments: [RawDevelopment] = {
  var denoised = RawDevelopment()
  (denoised.luminanceNoiseReductionAmount, denoised.colorNoiseReductionAmount) = (1, 1)
  (denoised.moireReductionAmount, denoised.sharpnessAmount) = (0.5, 1)
  (denoised.contrastAmount, denoised.detailAmount) = (0.5, 0.5)
  denoised.neutralTemperature = 3000
  var reconstructed = RawDevelopment()
  reconstructed.highlights = .reconstruct
  reconstructed.scaleFactor = 0.5
  reconstructed.neutralLocation = SIMD2(0, 0)
  var draft = RawDevelopment()
  draft.isDraftModeEnabled = true
  (draft.exposure, draft.extendedDynamicRangeAmount) = (-1, 2)
  var standard = RawDevelopment()
  standard.extendedDynamicRangeAmount = 0
  standard.isLensCorrectionEnabled = false
  (standard.boostAmount, standard.boostShadowAmount, standard.shadowBias) = (0.5, 1.5, 0.01)
  var salvaged = RawDevelopment()
  salvaged.isSalvaging = true
  salvaged.highlights = .keep
  return [denoised, reconstructed, draft, standard, salvaged, .sceneLinear]
}()
