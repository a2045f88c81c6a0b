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

extension JPEGXRFile {
  func rewritten() throws(ImageError) -> SplicedBytes {
    var bytes = SplicedBytes(source: directories.source)
    guard let edited else {
      bytes.append(0..<directories.source.count)
      return bytes
    }
    var budget = NewTIFFDirectory.mostBytes
    var images: [NewJPEGXRFile.NewImage] = []
    var payloads: [Range<Int>] = []
    var places: [Range<Int>: Int] = [:]
    var count = 0
    // Images may share a codestream.
    func place(of range: Range<Int>) throws(ImageError) -> Range<Int> {
      guard range.upperBound <= directories.source.count else {
        throw ImageError(
          .jpegXRDataTruncated, ["end": range.upperBound, "size": directories.source.count],
          at: .init(path: ["codestream"], offset: range.lowerBound))
      }
      let start = places[range] ?? count
      if places.updateValue(start, forKey: range) == nil {
        payloads.append(range)
        count += range.count
      }
      return start..<start + range.count
    }
    let structures = try structures
    for index in directories.directories.indices {
      guard let image = try index == selected ? image(index) : ifReadable(try image(index)) else {
        continue
      }
      let (color, alpha) = codestreams(of: image, structures)
      for range in [color, alpha].compactMap(\.self)
      where structures.removed(from: range) != [range] {
        throw ImageError(
          .malformed, "other data are inside the codestream",
          at: .init(path: ["codestream"], offset: range.lowerBound))
      }
      images.append(
        .init(
          directory: try directory(index, edited, budget: &budget), color: try place(of: color),
          alpha: try alpha.map { (range) throws(ImageError) in try place(of: range) }))
    }
    bytes.append(try NewJPEGXRFile.head(of: images, codestreams: count))
    for range in payloads { bytes.append(range) }
    return bytes
  }

  /// The directory of an image as it is written, without the places of codestreams.
  private func directory(
    _ index: Int, _ edited: Edited, budget: inout Int
  ) throws(ImageError) -> NewTIFFDirectory {
    let isSelected = index == selected
    let keepsAll = isSelected ? edited.removed != nil : edited.keepsOthers
    var new = try NewTIFFDirectory.part(
      of: directories, directories.directories[index], budget: &budget
    ) { tag in
      if isSelected {
        if tag == .iccProfile || edited.removed?.contains(tag) == true { return false }
        if Self.isRead(tag) { return Self.isNeeded(tag) }
      }
      return keepsAll || Self.isNeeded(tag)
    }
    if !keepsAll || edited.trimsFields {
      for (tag, count) in Self.fieldSizes { new.truncate(tag, to: count) }
    }
    guard isSelected else { return new }
    let resolution =
      edited.replacesResolution ? nil : new.entries(of: [.widthResolution, .heightResolution])
    try new.add(edited.metadata)
    if let resolution { new.merge(resolution) }
    return new
  }

  /// The codestreams of an image; those without a size end where other data begin.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - structures: Directories and values.
  /// - Returns: The range of color, and that of alpha if it is separate.
  private func codestreams(
    of image: JPEGXRImage, _ structures: SortedRanges
  ) -> (color: Range<Int>, alpha: Range<Int>?) {
    func whole(_ range: Range<Int>, before next: Int? = nil) -> Range<Int> {
      guard !image.isSized || range.upperBound > directories.source.count else { return range }
      let end = next.flatMap { range.contains($0) ? $0 : nil } ?? range.upperBound
      return structures.removed(from: range.lowerBound..<end).first ?? range
    }
    return (whole(image.codestream, before: image.alpha?.lowerBound), image.alpha.map { whole($0) })
  }

  /// All directories, those of Exif, of locations and of thumbnails included.
  var allDirectories: [TIFFDirectory] {
    get throws(ImageError) {
      try directories.reachable(
        from: directories.directories, by: ExifBlock.directoryTags.union([.gpsDirectory]))
    }
  }

  /// The header, the directories, and their values inside the file.
  var structures: SortedRanges {
    get throws(ImageError) {
      var ranges = [0..<8]
      for directory in try allDirectories {
        let size = 2 + 12 * directory.entries.count + 4
        ranges.append(directory.offset..<directory.offset + size)
        ranges += directory.entries.lazy.map(\.values).filter {
          $0.count > 4 && $0.upperBound <= directories.source.count
        }
      }
      return SortedRanges(joining: ranges)
    }
  }

  func isEqual(to other: any ParsedContainer) -> Bool { (other as? JPEGXRFile)?.edited == edited }

  func codedPayloads() throws(ImageError) -> [CodedPayload] {
    var payloads: [CodedPayload] = []
    let origin = SourceBytes.Origin(directories.source)
    let structures = try structures
    var count = 0
    for index in directories.directories.indices {
      guard let image = try ifReadable(try image(index)) else { continue }
      let (color, alpha) = codestreams(of: image, structures)
      // Directories without a readable image are not copied.
      let name = "IFD \(count)"
      count += 1
      payloads.append(CodedPayload("\(name) codestream", [SourceBytes(origin, color)]))
      guard let alpha else { continue }
      payloads.append(CodedPayload("\(name) alpha", [SourceBytes(origin, alpha)]))
    }
    return payloads
  }
}
