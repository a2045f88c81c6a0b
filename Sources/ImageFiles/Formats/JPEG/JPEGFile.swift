// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A JPEG file: its first image, and the images and other data that follow it.
///
/// Gain maps, previews and the second view of a stereo pair are separate images after the first
/// one; cameras append videos and private data.
package struct JPEGFile: Sendable {
  /// An element after the first image.
  package enum Appendix: Sendable {
    case image(JPEGImage)
    case trailer(JPEGTrailer)
  }

  /// The file that was parsed.
  package let source: ByteSource
  /// The first image of the file, which is the one that readers show.
  package var primary: JPEGImage
  /// Everything after the first image, in order and without gaps.
  package var appendices: [Appendix]
  /// Irregularities that did not prevent parsing.
  package internal(set) var notices: [Notice]

  /// Returns the name of an image in reports and errors; indices start at 0.
  package static func nameOfImage(_ index: Int) -> String { "image \(index)" }

  /// Ranges of the images that items of the container directory refer to, by item index, as parsed.
  package let containerItems: [Int: Range<Int>]
  /// Offset of the MPF TIFF header in the parsed file; MPF offsets are relative to it.
  let multiPictureHeader: Int?
  private let limits: ImageLimits
  /// Number of images in the parsed file.
  let parsedImageCount: Int
  /// Whether the MPF directory is updated even if nothing moved.
  package var arrangesDirectory = false
  /// Whether the MPF directory has entries that do not refer to an image and must be replaced or
  /// removed.
  package var hasStaleDirectory = false

  /// Parses a file and everything after its first image.
  ///
  /// At most 256 images after the first one are parsed. One that cannot be parsed is a trailer, with
  /// a notice.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file; entropy-coded data are scanned for markers.
  ///   - limits: Limits; `items` applies to the number of segments of each image.
  /// - Throws: `.malformed` or `.truncated` if the first image cannot be parsed, `.limitExceeded`
  ///   for too many segments; errors of reading the source.
  package init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    let primary = try JPEGParser.parse(source, at: 0, limits: limits)
    var parser = JPEGAppendixParser(source: source, primary: primary, limits: limits)
    try parser.parse()
    self.source = source
    self.limits = limits
    self.primary = primary
    appendices = parser.appendices
    notices = primary.notices + parser.notices
    containerItems = parser.containerItems
    multiPictureHeader = parser.multiPictureHeader
    parsedImageCount = 1 + parser.imageCount
  }

  /// The first image and the images after it, in file order; an index in it numbers images in
  /// reports.
  package var images: [JPEGImage] {
    [primary]
      + appendices.compactMap { if case .image(let image) = $0 { image } else { nil } }
  }

  /// Data between and after the images that are not images, in file order.
  package var trailers: [JPEGTrailer] {
    appendices.compactMap { if case .trailer(let trailer) = $0 { trailer } else { nil } }
  }

  /// Returns the segments of an image that cannot be parsed to its end; `nil` if missing.
  package func segments(ofImageIn trailer: JPEGTrailer) throws(ImageError) -> [JPEGSegment]? {
    let start = trailer.range.lowerBound
    guard trailer.range.count >= 2,
      try ifReadable(try source.bytes(in: start..<start + 2)) == [
        0xFF, JPEGMarker.startOfImage.rawValue,
      ]
    else { return nil }
    return try JPEGParser.readableSegments(source, at: start, limits: limits)
  }

  /// Replaces one of `images`.
  ///
  /// - Precondition: An image with this index exists.
  package mutating func replaceImage(_ index: Int, with image: JPEGImage) {
    let places = appendices.indices.filter {
      if case .image = appendices[$0] { true } else { false }
    }
    if index == 0 { primary = image } else { appendices[places[index - 1]] = .image(image) }
  }

  /// Inserts an image directly after the first, where directories that store lengths expect it.
  ///
  /// - Throws: Errors of reading the file of the image.
  package mutating func insertBehindFirst(_ image: JPEGImage) throws(ImageError) {
    appendices.insert(.image(try image.detached()), at: 0)
  }
}

/// Data between or after the images of a file.
package struct JPEGTrailer: Hashable, Sendable {
  /// Type of the data.
  package enum Content: String, Hashable, Sendable {
    /// The video of a motion photo.
    case video
    /// Samsung's directory of private data, including the data.
    case samsung
    /// Zero bytes, at most 65536.
    case padding
    /// Other data, such as an image that cannot be parsed.
    case unknown
  }

  /// A data block of the Samsung directory.
  package struct Block: Hashable, Sendable {
    /// Type in the directory entry.
    package var type: UInt16
    package var name: String
    /// Range of the block in the source, from its type on.
    package var range: Range<Int>
    /// Range of its data.
    package var data: Range<Int>
  }

  /// Type of the data, determined from their bytes and from metadata that specify the video.
  package var content: Content
  /// Range of the data in the source.
  package var range: Range<Int>
  /// Blocks of the Samsung directory whose names are readable.
  package var blocks: [Block] = []
  /// The bytes to write.
  package var pieces: [SplicedBytes.Piece]

  init(content: Content, range: Range<Int>, blocks: [Block] = []) {
    self.content = content
    self.range = range
    self.blocks = blocks
    pieces = [.kept(range)]
  }

  /// Names of the data in Samsung's directory, such as `MotionPhoto_Data`; empty for other data.
  package var names: [String] { blocks.map(\.name) }
  /// Number of bytes to write.
  var count: Int { pieces.reduce(0) { $0 + $1.count } }

  /// The block that contains the video of Samsung motion photos.
  ///
  /// Source: ExifTool, Samsung.pm, as documentation of the format.
  package static let samsungVideo = "MotionPhoto_Data"

  /// Range of the video of a motion photo in the source; `nil` if missing.
  package var video: Range<Int>? {
    switch content {
    case .video: range
    case .samsung: blocks.first { $0.name == Self.samsungVideo }?.data
    case .padding, .unknown: nil
    }
  }
}

extension JPEGFile {
  /// Images of the file with their segments, and the data between and after them, in file order.
  package var structure: [StructureNode] {
    var number = 0
    return [primary.structure(named: Self.nameOfImage(0))]
      + appendices.map { appendix in
        switch appendix {
        case .image(let image):
          number += 1
          return image.structure(named: Self.nameOfImage(number))
        case .trailer(let trailer):
          return StructureNode(
            "trailer", trailer.range, fields: [.init("content", trailer.content.rawValue)])
        }
      }
  }
}

extension JPEGImage {
  fileprivate func structure(named name: String) -> StructureNode {
    var node = StructureNode(name, stored)
    node.children = parts.map { part in
      switch part {
      case .segment(let segment): return segment.structure
      case .scan(let range): return StructureNode("entropy-coded data", range)
      case .stray(let range): return StructureNode("stray bytes", range)
      case .copied(let bytes, _):
        return StructureNode("copied bytes", fields: [.init("bytes", "\(bytes.count)")])
      }
    }
    return node
  }
}

extension JPEGSegment {
  fileprivate var structure: StructureNode {
    let roleName = role.title
    var node = StructureNode("\(marker)" + (roleName.map { " \($0)" } ?? ""), stored)
    do throws(ImageError) {
      try describe(&node)
    } catch {
      node.fields.addUnreadable(error.message)
    }
    return node
  }

  /// Offset of the body in the file; `nil` for a new segment.
  private var bodyStart: Int? { stored.map { $0.upperBound - body.count } }

  private func describe(_ node: inout StructureNode) throws(ImageError) {
    if marker.isFrame {
      let frame = try JPEGFrame(parsing: self)
      node.fields.add("size", "\(frame.width)x\(frame.height)")
      node.fields.add("bits", frame.precision)
      node.fields.add(
        "sampling",
        frame.components.map { "\($0.horizontalSampling)x\($0.verticalSampling)" }
          .joined(separator: ", "))
      return
    }
    switch role {
    case .exif:
      let block = try ExifBlock(parsing: body)
      node.children = try block.structure.structure(
        base: (bodyStart ?? 0) + body.count - block.bytes.count)
    case .xmp:
      node.children = [
        try XMPPacket(parsing: body).structure(bodyStart.map { $0..<$0 + body.count })
      ]
    case .icc where body.count >= 2:
      node.fields.add("chunk", "\(body[0]) of \(body[1])")
      if body[0] == 1, body[1] == 1 {
        node.children = [
          try ICCProfile(parsing: Array(body[2...])).structure(base: bodyStart.map { $0 + 2 })
        ]
      }
    case .multiPicture:
      let start = bodyStart ?? 0
      let format = try MultiPictureFormat(parsing: body)
      node.fields.add("byte order", format.byteOrder.rawValue)
      node.children = format.entries.enumerated().map { index, entry in
        let offset = index == 0 ? 0 : start + Int(entry.offset)
        return StructureNode(
          "MP entry \(index + 1)", offset..<offset + Int(entry.size),
          fields: [.init("attributes", "0x" + String(entry.attributes, radix: 16))])
      }
    case .isoGainMap:
      node.fields.add("holds", body.count <= 4 ? "version only" : "\(body.count) bytes of metadata")
    case .adobe where body.count >= 7:
      node.fields.add("transform", body[6])
    case .comment:
      node.fields.add("text", String(decoding: payload.prefix(80), as: UTF8.self))
    default: break
    }
  }
}

extension JPEGSegment.Role {
  /// Common name of the role; `nil` if the marker is sufficient.
  fileprivate var title: String? {
    switch self {
    case .jfif: "JFIF"
    case .jfifExtension: "JFXX"
    case .exif: "Exif"
    case .xmp: "XMP"
    case .extendedXMP: "extended XMP"
    case .icc: "ICC"
    case .isoGainMap: "ISO 21496-1"
    case .multiPicture: "MPF"
    case .photoshop: "Photoshop"
    case .adobe: "Adobe"
    case .comment, .other: nil
    }
  }
}
