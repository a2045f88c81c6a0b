// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension HEIFFile {
  /// Whether the Exif or XMP of any item contains a location.
  var hasLocation: Bool {
    items.contains { item in
      if item.type == "Exif" {
        guard let tiff = try? exif(ofItem: item.id) else { return false }
        return (try? ExifBlock(parsing: tiff))?.hasLocation ?? false
      }
      guard item.isEditableMetadata, let packet = try? data(of: item.id) else { return false }
      return (try? XMPPacket(parsing: packet))?.hasLocation ?? false
    }
  }

  /// Removes the location from all Exif and XMP items.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    for item in items {
      do throws(ImageError) {
        if item.type == "Exif" {
          var block = try ExifBlock(parsing: exif(ofItem: item.id))
          if try block.removeLocation() { try replaceTIFF(ofExifItem: item.id, with: block.bytes) }
        } else if item.isEditableMetadata {
          var packet = try XMPPacket(parsing: data(of: item.id))
          if try packet.removeLocation() { try replaceData(of: item.id, with: packet.bytes) }
        }
      } catch {
        throw error.unreadableLocation.inside("item \(item.id)")
      }
    }
    return opaqueNotices
  }

  /// Notices about video tracks and private boxes, which are kept unchanged.
  private var opaqueNotices: [Notice] {
    let silent: Set<FourCC> = ["free", "skip", "wide", "styp", "sidx"]
    let kept = otherBoxes.filter { !silent.contains($0.type) }.map(\.type)
    return (kept + (layout.movie == nil ? [] : ["moov"])).map { type in
      Notice(.locationBoxKept, ["type": "\(type)"], at: .init(path: [type.description]))
    }
  }
}

extension ImageError {
  /// The error for unreadable metadata that may contain a location.
  var unreadableLocation: ImageError {
    ImageError(.locationNotRemovable, ["cause": self], at: location)
  }
}
