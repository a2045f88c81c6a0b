// SPDX-License-Identifier: Apache-2.0
// Five jobs with Core Image and Image I/O. This file is not compiled by the package.
import CoreImage
import ImageIO
import UniformTypeIdentifiers

func ultraHDR(_ photo: URL, to jpeg: URL) throws {
  guard let sdr = CIImage(contentsOf: photo, options: [.applyOrientationProperty: true]),
    let hdr = CIImage(
      contentsOf: photo, options: [.applyOrientationProperty: true, .expandToHDR: true]),
    let space = CGColorSpace(name: CGColorSpace.displayP3)
  else { throw CocoaError(.fileReadCorruptFile) }
  try CIContext().writeJPEGRepresentation(
    of: sdr, to: jpeg, colorSpace: space, options: [.hdrImage: hdr])
}

func thumbnail(_ photo: URL, to heic: URL) throws {
  let options: [CFString: Any] = [
    kCGImageDestinationImageMaxPixelSize: 1024, kCGImageDestinationPreserveGainMap: true,
  ]
  guard let source = CGImageSourceCreateWithURL(photo as CFURL, nil),
    let output = CGImageDestinationCreateWithURL(
      heic as CFURL, UTType.heic.identifier as CFString, 1, nil)
  else { throw CocoaError(.fileReadCorruptFile) }
  CGImageDestinationAddImageFromSource(output, source, 0, options as CFDictionary)
  guard CGImageDestinationFinalize(output) else { throw CocoaError(.fileWriteUnknown) }
}

func pqHEIF(_ photo: URL, to heic: URL) throws {
  guard let hdr = CIImage(contentsOf: photo, options: [.expandToHDR: true]),
    let space = CGColorSpace(name: CGColorSpace.itur_2100_PQ)
  else { throw CocoaError(.fileReadCorruptFile) }
  try CIContext().writeHEIF10Representation(of: hdr, to: heic, colorSpace: space)
}

func linear(_ photo: URL) throws -> [Float] {
  guard let hdr = CIImage(contentsOf: photo, options: [.expandToHDR: true]),
    let space = CGColorSpace(name: CGColorSpace.extendedLinearDisplayP3)
  else { throw CocoaError(.fileReadCorruptFile) }
  let (width, height) = (Int(hdr.extent.width), Int(hdr.extent.height))
  var pixels = [Float](repeating: 0, count: width * height * 4)
  CIContext().render(
    hdr, toBitmap: &pixels, rowBytes: width * 16, bounds: hdr.extent, format: .RGBAf,
    colorSpace: space)
  return pixels
}

func withoutLocation(_ photo: URL, to output: URL) throws {
  let options = [kCGImageMetadataShouldExcludeGPS: true]
  guard let source = CGImageSourceCreateWithURL(photo as CFURL, nil),
    let type = CGImageSourceGetType(source),
    let copy = CGImageDestinationCreateWithURL(output as CFURL, type, 1, nil),
    CGImageDestinationCopyImageSource(copy, source, options as CFDictionary, nil)
  else { throw CocoaError(.fileWriteUnknown) }
}
