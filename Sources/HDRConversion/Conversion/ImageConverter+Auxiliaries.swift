// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension ImageConverter {
  /// The notice about auxiliary images that the output cannot store; `nil` if it can.
  func droppedAuxiliaries(of document: SourceImage) -> Notice? {
    guard !document.auxiliaries.isEmpty else { return nil }
    let names = document.auxiliaries.map(\.displayName).grouped
    guard options.format.traits.auxiliaryStorage != .none else {
      return Notice(.auxiliaryNotStorable, ["names": names])
    }
    let isWhole = options.geometry.crop == nil && options.geometry.size == nil
    return isWhole ? nil : Notice(.auxiliaryNotCropped, ["names": names])
  }

  /// Returns the auxiliary images of a document, rotated like the output.
  ///
  /// Images that the output cannot store or that cannot be decoded cause a notice.
  ///
  /// - Throws: Errors that end the whole job.
  func auxiliaries(
    of document: SourceImage, rotation: Orientation, _ notices: inout [Notice]
  ) throws(ImageError) -> [AuxiliaryImage] {
    guard !document.auxiliaries.isEmpty else { return [] }
    if let dropped = droppedAuxiliaries(of: document) {
      notices.append(dropped)
      return []
    }
    let storage = options.format.traits.auxiliaryStorage
    var found: [AuxiliaryImage] = []
    for auxiliary in document.auxiliaries {
      do throws(ImageError) {
        let keepsXMP = rotation == .upright && storage == .images
        found.append(
          .init(
            type: auxiliary.type, subtype: auxiliary.subtype,
            image: try Self.encodable(auxiliary.image, rotated: rotation, in: storage),
            xmp: keepsXMP ? auxiliary.xmp : nil))
        if !keepsXMP, auxiliary.xmp != nil {
          let code: NoticeCode =
            storage == .images
            ? NoticeCode(
              .dropped,
              "not copied: XMP of the auxiliary image {type} (it describes the image before "
                + "rotation)"
            )
            : NoticeCode(
              .dropped, "not copied: XMP of the auxiliary image {type} ({format} cannot store it)")
          notices.append(
            Notice(code, ["type": auxiliary.displayName, "format": options.format.title]))
        }
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(
            .dropped, "not copied: auxiliary image {type}: {cause}",
            ["type": auxiliary.displayName, "cause": error],
            at: error.location))
      }
    }
    return found
  }

  /// Returns an image upright and, if it is stored as an image, in a depth of HEVC and AV1: 8 bits,
  /// as programs expect of mattes, unless the file has more.
  private static func encodable(
    _ image: Image, rotated: Orientation, in storage: FormatTraits.AuxiliaryStorage
  ) throws(ImageError) -> Image {
    guard case .integer(let planes) = try image.planes().planes,
      case .integer(let bits) = image.layout.samples
    else {
      throw ImageError(
        .invalidArgument, "auxiliary images of floating-point samples cannot be encoded")
    }
    let plane = planes[0].upright(from: rotated)
    let depth = storage == .channels ? bits : [8, 10].first { $0 >= bits } ?? 12
    let (old, new) = (1 << bits - 1, 1 << depth - 1)
    let samples = plane.span
    let codes =
      depth == bits
      ? plane
      : Plane<UInt16>(width: plane.width, height: plane.height) { output in
        for index in samples.indices {
          output.append(UInt16((Int(samples[index]) * new + old / 2) / old))
        }
      }
    var description = image.description
    description.layout = ImageLayout(
      width: codes.width, height: codes.height, components: .gray, samples: .integer(bits: depth))
    return Image(description, ImagePlanes(layout: description.layout, planes: .integer([codes])))
  }
}
