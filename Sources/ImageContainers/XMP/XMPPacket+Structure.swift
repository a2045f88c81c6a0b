public import HDRCore

/// What decoding needs of a packet, and what else says the same as other metadata.
extension XMPPacket {
  /// Namespaces of what says where the parts of a file are and how to apply a gain map.
  static let structuralNamespaces: Set = [
    "http://ns.google.com/photos/1.0/container/", cameraNamespace,
    "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.apple.com/HDRGainMap/1.0/",
    diffuseWhite.namespace,
  ]

  /// A packet that takes the place of another, with what decoding needs of the old one.
  ///
  /// - Parameters:
  ///   - old: The packet that goes, if there was one.
  ///   - new: The packet that comes, if one does.
  ///   - notices: Gets what was kept.
  /// - Returns: The packet to write, if there is anything to say.
  /// - Throws: `.malformed` if the new packet cannot hold what has to be kept.
  package static func replacing(
    _ old: [UInt8]?, with new: [UInt8]?, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8]? {
    guard let old = old.flatMap({ try? XMPPacket(parsing: $0) }) else { return new }
    let kept = old.structuralProperties
    guard !kept.isEmpty else { return new }
    notices.append(
      Notice(
        .xmpPropertiesKept, ["names": Set(kept.map(\.local)).sorted()], at: .init(path: ["XMP"])))
    let structure = try old.keepingOnlyStructure()
    guard let new else { return structure.bytes }
    var packet = try XMPPacket(parsing: new)
    try packet.remove(kept)
    return try packet.merged(with: structure).bytes
  }

  /// Removes the directory of the file's parts, and what marks a picture with a gain map or a film.
  ///
  /// - Throws: `.malformed` if what is left cannot be read.
  public mutating func removeDirectory() throws(ImageError) {
    try remove(
      structuralProperties.filter { name in
        name.namespace != Self.diffuseWhite.namespace
          && (name.namespace != Self.cameraNamespace || Self.isAboutFilm(name))
      })
  }

  /// Whether readers look for a property in the first part of a packet only.
  ///
  /// Google's other properties of the camera may be hundreds of kilobytes (`hdrp_makernote`).
  static func isNeededInFront(_ name: XMPName) -> Bool {
    name.namespace == cameraNamespace
      ? isAboutFilm(name) : structuralNamespaces.contains(name.namespace)
  }

  /// Whether one of Google's words about the camera is about the film of a motion photo.
  ///
  /// Source: Motion Photo format 1.0, "Camera metadata".
  private static func isAboutFilm(_ name: XMPName) -> Bool {
    ["MotionPhoto", "MicroVideo"].contains { name.local.hasPrefix($0) }
  }

  private static let cameraNamespace = "http://ns.google.com/photos/1.0/camera/"

  private var structuralProperties: Set<XMPName> {
    Set(properties.lazy.map(\.name).filter { Self.structuralNamespaces.contains($0.namespace) })
  }

  private func keepingOnlyStructure() throws(ImageError) -> XMPPacket {
    var places: Set<Range<Int>> = []
    for description in descriptions {
      for attribute in description.attributes
      where !attribute.isDeclaration && isDispensable(attribute.name) {
        places.insert(attribute.range)
      }
      for child in tree.children(of: description) where isDispensable(child.name) {
        places.insert(child.range)
      }
    }
    var copy = self
    try copy.removeAll(places)
    return copy
  }

  private func isDispensable(_ name: XMPName) -> Bool {
    !name.isSyntax && !Self.structuralNamespaces.contains(name.namespace)
  }

  private static let orientationName = XMPName("http://ns.adobe.com/tiff/1.0/", "Orientation")

  /// How the packet says that the picture is turned, if it does.
  public var orientation: Orientation? {
    self[Self.orientationName]?.text.flatMap(Int.init).flatMap(Orientation.init)
  }

  /// Changes the orientation that the packet gives, if it gives one.
  ///
  /// - Returns: Whether it did.
  /// - Throws: `.malformed` if the packet cannot be edited.
  public mutating func updateOrientation(_ orientation: Orientation) throws(ImageError) -> Bool {
    guard let old = self[Self.orientationName]?.text, old != "\(orientation.rawValue)" else {
      return false
    }
    try set("\(orientation.rawValue)", for: Self.orientationName, prefix: "tiff")
    return true
  }

  /// Makes the packet say how large the stored picture is, where it says so at all.
  ///
  /// Source: XMP part 2, 1.2.6 and 1.2.7 (TIFF and Exif schemas).
  ///
  /// - Throws: `.malformed` if the packet cannot be edited.
  public mutating func updatePixelSize(width: Int, height: Int) throws(ImageError) {
    let tiff = (namespace: "http://ns.adobe.com/tiff/1.0/", prefix: "tiff")
    let exif = (namespace: "http://ns.adobe.com/exif/1.0/", prefix: "exif")
    for (schema, local, count) in [
      (tiff, "ImageWidth", width), (tiff, "ImageLength", height),
      (exif, "PixelXDimension", width), (exif, "PixelYDimension", height),
    ] {
      let name = XMPName(schema.namespace, local)
      guard let old = self[name]?.text, old != "\(count)" else { continue }
      try set("\(count)", for: name, prefix: schema.prefix)
    }
  }
}
