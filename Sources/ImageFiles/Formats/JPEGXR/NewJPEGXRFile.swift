// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The beginning of a JPEG XR file: its directories, which codestreams follow.
///
/// Source: ITU-T T.832 (06/2019), annex A.
package struct NewJPEGXRFile {
  /// An image: its declarations and metadata, and the ranges of its codestreams, counted from the end of the
  /// directories.
  struct NewImage {
    var directory: NewTIFFDirectory
    var color: Range<Int>
    /// `nil` without a codestream of alpha of its own.
    var alpha: Range<Int>?
  }

  private let directory: NewTIFFDirectory
  private let hasAlpha: Bool

  /// A file of half-float samples, whose codestreams are not encoded yet.
  ///
  /// - Parameter content: The image; its resolution is that of Exif.
  /// - Throws: `.malformed` for Exif that cannot be edited.
  package init(_ content: StreamedImage) throws(ImageError) {
    let layout = content.image.layout
    hasAlpha = layout.hasAlpha
    var metadata = JPEGXRMetadata()
    if let exif = content.exif {
      var block = try ExifBlock(parsing: exif)
      try block.markUncalibrated()
      metadata.exif = block.bytes
    }
    metadata.xmp = content.xmp
    metadata.photoshop = content.auxiliaryMetadata.resources
    metadata.iptc = try content.auxiliaryMetadata.iptc
    metadata.orientation = content.image.orientation
    var directory = NewTIFFDirectory()
    let order = TIFFFile.ByteOrder.littleEndian
    let format = JPEGXRPixelFormat.half(
      isGray: layout.components == .gray, hasAlpha: layout.hasAlpha)
    directory.set(.pixelFormat, undefined: format, type: .byte)
    directory.set(.jpegXRWidth, [UInt32(clamping: layout.width)], type: .long, order: order)
    directory.set(.jpegXRHeight, [UInt32(clamping: layout.height)], type: .long, order: order)
    try directory.add(metadata)
    self.directory = directory
  }

  /// The bytes before the codestreams, whose number does not depend on the sizes.
  ///
  /// - Parameters:
  ///   - count: Bytes of the codestream of color.
  ///   - alphaCount: Bytes of that of alpha, which follows.
  /// - Returns: Header and directory.
  /// - Throws: `.unsupported` for a file of more than 4 GiB.
  package func head(codestream count: Int, alpha alphaCount: Int) throws(ImageError) -> [UInt8] {
    let end = count + alphaCount
    let image = NewImage(
      directory: directory, color: 0..<count, alpha: hasAlpha ? count..<end : nil)
    return try Self.head(of: [image], codestreams: end)
  }

  /// The bytes before the codestreams of a file.
  ///
  /// - Parameters:
  ///   - images: The images, in the order of their directories.
  ///   - count: Bytes of all codestreams.
  /// - Returns: Header and directories.
  /// - Throws: `.unsupported` for a file of more than 4 GiB.
  static func head(of images: [NewImage], codestreams count: Int) throws(ImageError) -> [UInt8] {
    let order = TIFFFile.ByteOrder.littleEndian
    var head: [UInt8] = [0x49, 0x49, 0xBC, 1] + order.bytes(of: UInt32(8))
    let sizes = images.map { $0.located(after: 0).serialized(at: 0, order: order).count }
    let data = sizes.reduce(head.count, +)
    guard data + count <= UInt32.max else {
      throw ImageError(.unsupported, "JPEG XR files are limited to 4 GiB")
    }
    for (index, image) in images.enumerated() {
      let end = head.count + sizes[index]
      head += image.located(after: data).serialized(
        at: head.count, order: order, next: index == images.count - 1 ? 0 : end)
    }
    return head
  }
}

extension NewJPEGXRFile.NewImage {
  /// The directory of an image in a file whose codestreams begin at an offset.
  fileprivate func located(after offset: Int) -> NewTIFFDirectory {
    var places = [(TIFFTag.imageOffset, offset + color.lowerBound), (.imageByteCount, color.count)]
    if let alpha {
      places += [(.alphaOffset, offset + alpha.lowerBound), (.alphaByteCount, alpha.count)]
    }
    var directory = directory
    for (tag, number) in places {
      directory.set(tag, [UInt32(clamping: number)], type: .long, order: .littleEndian)
    }
    return directory
  }
}

/// The metadata of a JPEG XR image that an edit can change.
struct JPEGXRMetadata: Hashable, Sendable {
  /// Exif as one block, with the resolution of the container.
  var exif: [UInt8]?
  var xmp: [UInt8]?
  var profile: [UInt8]?
  /// Photoshop image resources.
  var photoshop: [UInt8]?
  var iptc: [UInt8]?
  var orientation = Orientation.upright
}

extension NewTIFFDirectory {
  /// Adds the entries of metadata, in the byte order and with the resolution of the container.
  ///
  /// - Throws: `.malformed` for Exif that cannot be read.
  mutating func add(_ metadata: JPEGXRMetadata) throws(ImageError) {
    if let exif = metadata.exif { try add(exif: exif) }
    if let xmp = metadata.xmp { set(.xmp, undefined: xmp, type: .byte) }
    if let profile = metadata.profile { set(.iccProfile, undefined: profile, type: .undefined) }
    if let resources = metadata.photoshop { set(.photoshop, undefined: resources, type: .byte) }
    if let iptc = metadata.iptc { set(.iptc, undefined: iptc, type: .byte) }
    let transformation = Orientation.jpegXR.firstIndex(of: metadata.orientation) ?? 0
    set(
      .transformation, [UInt32(clamping: transformation)], type: .long, order: .littleEndian)
  }

  private mutating func add(exif: [UInt8]) throws(ImageError) {
    let block = try ExifBlock(parsing: exif)
    var description = try NewTIFFDirectory.description(of: block.structure)
    if block.structure.byteOrder == .bigEndian { description.reverseByteOrder() }
    if let resolution = block.pixelsPerInch {
      set(
        .widthResolution, [Float(resolution.x).bitPattern], type: .float, order: .littleEndian)
      set(
        .heightResolution, [Float(resolution.y).bitPattern], type: .float, order: .littleEndian)
    }
    for tag in [TIFFTag.xResolution, .yResolution, .resolutionUnit] { description.remove(tag) }
    merge(description)
  }
}
