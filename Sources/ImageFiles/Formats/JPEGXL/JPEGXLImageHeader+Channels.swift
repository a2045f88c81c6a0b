// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGXLImageHeader {
  /// The extra channels as images.
  var channelImages: [FileImage] {
    extraChannels.enumerated().map { index, channel in
      FileImage(
        name: "channel \(index + 1)", role: channel.role, auxiliaryType: channel.auxiliaryType,
        layout: channelLayout(channel), floatBits: channel.depth.isFloat ? channel.depth.bits : nil,
        orientation: orientation,
        coding: CodecConfiguration("JPEG XL", lumaDepth: channel.depth.bits))
    }
  }

  /// The preview frame as an image; `nil` if it is missing.
  var previewImage: FileImage? {
    previewLayout.map { layout in
      FileImage(
        name: "preview", role: .preview, layout: layout, orientation: orientation,
        coding: CodecConfiguration("JPEG XL", lumaDepth: depth.bits))
    }
  }

  /// Layout of the decoded samples of the preview frame; `nil` if it is missing.
  package var previewLayout: ImageLayout? {
    guard let preview else { return nil }
    var layout = imageLayout
    (layout.width, layout.height) = (preview.width, preview.height)
    return layout
  }

  /// Layout of the decoded samples of an extra channel, which have the size of the image.
  package func channelLayout(_ channel: JPEGXLExtraChannel) -> ImageLayout {
    let depth = channel.depth
    return ImageLayout(
      width: width, height: height, components: .gray,
      samples: depth.isFloat || depth.bits > 16 ? .float : .integer(bits: depth.bits))
  }
}

extension JPEGXLExtraChannel {
  fileprivate var role: FileImage.Role {
    if let auxiliaryType { return FileImage.Role(auxiliaryType: auxiliaryType) }
    return switch type {
    case .alpha: .alpha
    case .selectionMask: .matte
    default: .auxiliary
    }
  }

  /// The display name of the type.
  var title: String {
    switch type {
    case .alpha: "alpha"
    case .depth: "depth"
    case .spotColor: "spot color"
    case .selectionMask: "selection mask"
    case .black: "black"
    case .filterColor: "color filter"
    case .thermal: "thermal"
    case .unknown, .optional, nil: "other"
    }
  }
}
