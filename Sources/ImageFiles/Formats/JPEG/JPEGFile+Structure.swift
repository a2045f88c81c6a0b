// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
      case .copied(let bytes):
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
