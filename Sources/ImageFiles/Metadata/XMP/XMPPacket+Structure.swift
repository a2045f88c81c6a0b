// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Properties that are required for decoding, and properties that duplicate other metadata.
extension XMPPacket {
  /// Properties and fields that readers use, by namespaces of properties that locate the parts of a file
  /// or describe a gain map.
  ///
  /// Source: Ultra HDR Image Format v1.0; Adobe, "Gain map 1.0"; Motion Photo format 1.0.
  private static let structuralNames: [String: Set<String>] = [
    containerNamespace: ["Directory", "Item"],
    itemNamespace: ["Semantic", "Mime", "Length", "Padding"],
    GainMapXMP.namespace: Set(
      [GainMapXMP.versionName, GainMapXMP.isBaseHDR, GainMapXMP.legacyBase].map(\.local)
        + GainMapXMP.Field.allCases.map(\.rawValue)),
    AppleGainMapXMP.namespace: [
      AppleGainMapXMP.versionName.local, AppleGainMapXMP.headroomName.local,
    ],
    pixelDataNamespace: ["AuxiliaryImageType", "NativeFormat", "StoredFormat"],
    diffuseWhite.namespace: ["DiffuseWhite", "MaxCLL", "MaxFALL"],
  ]
  /// Properties of the video of a motion photo.
  private static let videoNames: Set<String> = [
    "MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs",
    "MotionPhotoPrimaryPresentationTimestampUs", "MicroVideo", "MicroVideoVersion",
    "MicroVideoOffset", "MicroVideoPresentationTimestampUs",
  ]

  /// Whether readers need a property to show the images or to find the video of a motion photo.
  ///
  /// They look for it only in the main packet.
  static func isStructural(_ name: XMPName) -> Bool {
    structuralNames[name.namespace] != nil || describesVideo(name)
  }

  /// Whether readers know a property or a field of one.
  fileprivate static func isKnown(_ name: XMPName) -> Bool {
    let names = name.namespace == cameraNamespace ? videoNames : structuralNames[name.namespace]
    return names?.contains(name.local) == true
  }

  /// Returns a replacement packet with the properties of the old one that are required for
  /// decoding.
  ///
  /// - Parameters:
  ///   - old: Packet to replace; `nil` if missing.
  ///   - new: New packet; `nil` to remove XMP.
  ///   - notices: Receives a notice about kept properties.
  /// - Returns: The packet to write; `nil` if XMP is not needed.
  /// - Throws: `.malformed` if the kept properties cannot be added to the new packet.
  package static func replacing(
    _ old: [UInt8]?, with new: [UInt8]?, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8]? {
    guard let old, let old = try ifReadable(try XMPPacket(parsing: old)) else { return new }
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

  /// Returns a new packet with the properties that readers need to show the images, and nothing
  /// else: no comments, no names of applications, no identifiers.
  ///
  /// - Returns: The packet; `nil` if it does not contain any such property.
  /// - Throws: `.malformed` if the packet cannot be written.
  package func structureOnly() throws(ImageError) -> [UInt8]? {
    let kept = properties.compactMap(\.structure)
    guard !kept.isEmpty else { return nil }
    var packet = try XMPPacket(parsing: Self.empty)
    let prefixes = Self.prefixes
    for property in kept {
      guard case .text(let text) = property.value else { continue }
      try packet.set(text, for: property.name, prefix: prefixes[property.name.namespace] ?? "ns")
    }
    // Arrays are inserted at the start of the description.
    for property in kept.reversed() {
      if case .text = property.value { continue }
      try packet.set(property.value, for: property.name, prefixes: prefixes)
    }
    return packet.bytes
  }

  /// Usual prefixes of the structural namespaces.
  private static let prefixes = [
    "http://ns.google.com/photos/1.0/container/": "Container",
    "http://ns.google.com/photos/1.0/container/item/": "Item", cameraNamespace: "GCamera",
    "http://ns.adobe.com/hdr-gain-map/1.0/": "hdrgm",
    "http://ns.apple.com/HDRGainMap/1.0/": "HDRGainMap",
    "http://ns.apple.com/pixeldatainfo/1.0/": "apdi", diffuseWhite.namespace: "hdrc",
  ]

  /// Removes the properties that announce the video of a motion photo.
  ///
  /// - Throws: `.malformed` if the result cannot be parsed.
  package mutating func removeVideo() throws(ImageError) {
    try remove(Set(properties.lazy.map(\.name).filter(Self.describesVideo)))
    try removeContainerItems(semantic: "MotionPhoto")
  }

  /// Length of the video that the first form of Google's motion photos declares; `nil` if missing.
  var microVideoLength: Int? {
    self[XMPName(Self.cameraNamespace, "MicroVideoOffset")]?.text.flatMap { Int($0) }
  }

  /// Whether the packet announces the video of a motion photo.
  package var announcesVideo: Bool {
    properties.contains { Self.describesVideo($0.name) }
      || containerItems.contains { $0.semantic == "MotionPhoto" }
  }

  /// Removes the container directory and the properties that mark a gain map or a motion photo.
  ///
  /// - Throws: `.malformed` if the result cannot be parsed.
  package mutating func removeDirectory() throws(ImageError) {
    try remove(
      structuralProperties.filter { name in
        name.namespace != Self.diffuseWhite.namespace && name.namespace != Self.pixelDataNamespace
      })
  }

  /// Whether a Google camera property belongs to a motion photo.
  ///
  /// Source: Motion Photo format 1.0, "Camera metadata".
  private static func describesVideo(_ name: XMPName) -> Bool {
    name.namespace == cameraNamespace
      && ["MotionPhoto", "MicroVideo"].contains { name.local.hasPrefix($0) }
  }

  private static let pixelDataNamespace = "http://ns.apple.com/pixeldatainfo/1.0/"

  private static let cameraNamespace = "http://ns.google.com/photos/1.0/camera/"

  private var structuralProperties: Set<XMPName> {
    Set(properties.lazy.map(\.name).filter(Self.isStructural))
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

  private func isDispensable(_ name: XMPName) -> Bool { !name.isSyntax && !Self.isStructural(name) }

  private static let orientationName = XMPName("http://ns.adobe.com/tiff/1.0/", "Orientation")

  /// Orientation of the image (`tiff:Orientation`); `nil` if the packet does not contain a valid
  /// one.
  package var orientation: Orientation? {
    self[Self.orientationName]?.text.flatMap(Int.init).flatMap(Orientation.init)
  }

  /// Updates the orientation, if the packet contains one.
  ///
  /// - Returns: Whether the packet changed.
  /// - Throws: `.malformed` if the packet cannot be edited.
  package mutating func updateOrientation(_ orientation: Orientation) throws(ImageError) -> Bool {
    guard let old = self[Self.orientationName]?.text, old != "\(orientation.rawValue)" else {
      return false
    }
    try set("\(orientation.rawValue)", for: Self.orientationName, prefix: "tiff")
    return true
  }

  /// Updates the properties that store the size of the image, if they exist.
  ///
  /// Source: XMP part 2, 1.2.6 and 1.2.7 (TIFF and Exif schemas).
  ///
  /// - Throws: `.malformed` if the packet cannot be edited.
  package mutating func updatePixelSize(width: Int, height: Int) throws(ImageError) {
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

extension XMPProperty {
  /// The property with the fields that readers know; `nil` if they do not know the property or its value.
  fileprivate var structure: XMPProperty? {
    guard XMPPacket.isKnown(name) else { return nil }
    return value.structure(isText: Self.texts.contains(name.local)).map {
      XMPProperty(name: name, value: $0)
    }
  }

  /// Properties whose values are not numbers.
  private static let texts: Set = ["Semantic", "Mime", "AuxiliaryImageType"]
}

extension XMPValue {
  fileprivate func structure(isText: Bool) -> XMPValue? {
    switch self {
    case .text(let text): return isText || Self.isRead(text) ? self : nil
    case .array(let items):
      let known = items.compactMap { $0.structure(isText: isText) }
      return known.count == items.count ? .array(known) : nil
    case .structure(let fields): return .structure(fields.compactMap(\.structure))
    }
  }

  /// Whether a text consists of numbers, or is a word of a gain map, in any spelling that is read.
  private static func isRead(_ text: String) -> Bool {
    ["true", "false", "sdr", "hdr", "highdynamicrange"].contains(text.lowercased())
      || text.split(separator: ",").allSatisfy { number in
        Double(String(number.filter { !$0.isWhitespace })) != nil
      }
  }
}
