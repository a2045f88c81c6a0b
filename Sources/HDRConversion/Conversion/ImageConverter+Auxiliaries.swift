internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

extension ImageConverter {
  /// The auxiliary pictures of a document as the output shows them.
  ///
  /// Images that the output cannot store or that cannot be decoded cause a notice.
  func auxiliaries(
    of document: PictureDocument, turn: Orientation, _ notices: inout [Notice]
  ) -> [PictureOutput.Auxiliary] {
    guard !document.auxiliaries.isEmpty else { return [] }
    let names = document.auxiliaries.map(\.type).listed
    guard options.format == .heif || options.format == .avif else {
      notices.append(
        Notice(.lost, "auxiliary pictures (\(names)), which only HEIF and AVIF hold"))
      return []
    }
    guard options.geometry.crop == nil, options.geometry.size == nil else {
      notices.append(
        Notice(.lost, "auxiliary pictures (\(names)), which do not follow a cut or another size"))
      return []
    }
    var found: [PictureOutput.Auxiliary] = []
    for auxiliary in document.auxiliaries {
      do throws(ImageError) {
        let plane = try auxiliary.samples().upright(from: turn)
        found.append(
          .init(
            type: auxiliary.type, subtype: auxiliary.subtype,
            image: Self.coded(plane, bits: auxiliary.bits),
            xmp: turn == .upright ? auxiliary.xmp : nil))
        if turn != .upright, auxiliary.xmp != nil {
          notices.append(
            Notice(.lost, "XMP of \(auxiliary.type), which is about it before it was turned"))
        }
      } catch {
        notices.append(
          Notice(.lost, "\(auxiliary.type): \(error.reason)", at: error.location))
      }
    }
    return found
  }

  /// Eight bits, which is what programs expect of mattes, unless the file has more.
  private static func coded(_ plane: Plane<UInt16>, bits: Int) -> ImagePlanes {
    let bits = [8, 10].first { $0 >= bits } ?? 12
    let largest = 1 << bits - 1
    let samples = plane.span
    let codes = Plane<UInt16>(width: plane.width, height: plane.height) { output in
      for index in samples.indices {
        output.append(UInt16((Int(samples[index]) * largest + 32_767) / 65_535))
      }
    }
    return ImagePlanes(
      layout: ImageLayout(
        width: plane.width, height: plane.height, components: .gray, samples: .integer(bits: bits)),
      planes: .integer([codes]))
  }
}
