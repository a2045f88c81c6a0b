// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Interprets the images and metadata of Canon CR3 files, without decoding samples.
struct CR3Interpreter {
  private let source: ByteSource
  private let file: CR3File

  init(_ container: ImageFile) throws(ImageError) {
    source = container.source
    file = try container.cr3()
  }

  func contents() throws(ImageError) -> FileContents {
    var notices = file.notices
    let exif = try directory(file.exif, "CMT1", &notices)
    let orientation = exif?.orientation ?? .upright
    let main = mainIndex
    let images = file.images.enumerated().map { index, stored in
      image(of: stored, isMain: index == main, orientation)
    }
    var contents = FileContents(
      format: .cr3, source: source,
      images: [images[main]] + images[..<main] + images[(main + 1)...], notices: notices)
    try contents.take(try FileMetadata(exif: nil, xmp: file.xmp))
    if let exif {
      let exposure = try directory(file.exposure, "CMT2", &contents.notices)
      let location = try directory(file.location, "CMT4", &contents.notices)
      contents.exif = try ExifSummary(
        main: exif.structure, exposure: exposure?.structure, location: location?.structure,
        byteCount: [exif, exposure, location].reduce(0) { $0 + ($1?.bytes.count ?? 0) })
    }
    return contents
  }

  /// Index of the largest raw image, or of the largest image if none is raw.
  private var mainIndex: Int {
    func rank(_ stored: CR3File.StoredImage) -> (Int, Int) {
      (stored.isRaw ? 1 : 0, stored.width * stored.height)
    }
    return file.images.indices.max { rank(file.images[$0]) < rank(file.images[$1]) } ?? 0
  }

  private func image(
    of stored: CR3File.StoredImage, isMain: Bool, _ orientation: Orientation
  ) -> FileImage {
    let (components, bits, coding): (ImageLayout.Components, Int, CodecConfiguration) =
      switch stored.coding {
      case .crx(let bits): (.gray, bits, CodecConfiguration("CRX", lumaDepth: bits))
      case .jpeg: (.rgb, 8, CodecConfiguration("JPEG", lumaDepth: 8))
      }
    let (name, role): (String, FileImage.Role) =
      switch stored.place {
      case .track(let number): ("track \(number)", .preview)
      case .preview: ("PRVW", .preview)
      case .thumbnail: ("THMB", .thumbnail)
      }
    return FileImage(
      name: name, role: isMain ? .primary : role,
      layout: ImageLayout(
        width: stored.width, height: stored.height, components: components,
        samples: .integer(bits: bits)),
      orientation: orientation, coding: coding,
      interpretation: stored.isRaw ? "Color Filter Array" : nil)
  }

  private func directory(
    _ bytes: [UInt8]?, _ box: String, _ notices: inout [Notice]
  ) throws(ImageError) -> ExifBlock? {
    guard let bytes else { return nil }
    do throws(ImageError) {
      return try ExifBlock(parsing: bytes)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.metadataUnreadable, ["name": "Exif", "cause": error], at: .init(path: [box])))
      return nil
    }
  }
}

extension CR3File.StoredImage {
  fileprivate var isRaw: Bool {
    if case .crx = coding { return true }
    return false
  }
}
