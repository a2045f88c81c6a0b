internal import HDRCore
internal import ImageContainers

extension HEIFFile {
  /// Whether readable Exif or XMP of any item says where the picture was taken.
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

  /// Removes from all Exif and XMP what says where the picture was taken.
  ///
  /// - Throws: `.malformed` for metadata that cannot be read and might say it.
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

  /// Films and private data, which are kept as they are.
  private var opaqueNotices: [Notice] {
    let silent: Set<FourCC> = ["free", "skip", "wide", "styp", "sidx"]
    let kept = otherBoxes.filter { !silent.contains($0.type) }.map(\.type)
    return (kept + (layout.movie == nil ? [] : ["moov"])).map { type in
      Notice(.locationBoxKept, ["type": "\(type)"], at: .init(path: [type.description]))
    }
  }
}

extension ImageError {
  /// The error where metadata that might hold a location cannot be read.
  var unreadableLocation: ImageError {
    ImageError(.locationNotRemovable, ["cause": self], at: location)
  }
}
