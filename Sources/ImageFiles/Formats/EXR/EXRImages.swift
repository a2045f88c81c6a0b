// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The images of an OpenEXR file: the parts, their layers and views.
///
/// Source: OpenEXR, "Channel Names", "Layers", "Storing Multi-View Images".
package struct EXRImages {
  /// Channels that can be shown as an image.
  package struct Entry {
    package let number: Int
    package let colorModel: EXRLayout.ColorModel
    /// Channel names in the file, in the order of `colorModel`, alpha last.
    package let channels: [String]
    package let hasAlpha: Bool
    package let partIndex: Int
    /// Channel names up to the last dot; empty for channels without a layer.
    package let layer: String
    /// Name of the part in a file with several; empty without one.
    package let partName: String
    package let view: String?
    /// Whether the image is the only channel of a part without color.
    package let isSingleChannel: Bool

    /// The name by which people select the image: of the layer, the part, or both.
    package var name: String {
      guard !layer.isEmpty else { return partName.isEmpty ? view ?? "part \(partIndex)" : partName }
      let isRepeated = partName.isEmpty || partName == layer || layer.hasPrefix(partName + ".")
      return isRepeated ? layer : partName + "." + layer
    }

    /// All names that select the image.
    fileprivate var names: [String] {
      let last = layer.split(separator: ".").last.map(String.init) ?? ""
      return [name, layer, partName, "part \(partIndex)", view ?? "", last].filter { !$0.isEmpty }
    }

    /// Position among the images in order of likelihood: the least is the default.
    ///
    /// Channels without a layer are the image of their part. Renderers name the image that
    /// consists of the other layers, or its part, `rgba`, `beauty` or `Combined`. Of several such
    /// names, the one with the fewest other words is meant.
    fileprivate var rank: Int {
      let words = (layer.isEmpty ? partName : name).split(separator: ".").flatMap(Self.words)
      let penalty = isSingleChannel ? 10_000 : 0
      guard let last = words.last else { return penalty }
      let isUsual = words.contains { Self.whole.contains($0) || $0 == "rgba" }
      if isUsual || words.contains(where: Self.likely.contains) {
        let others = words.count {
          !Self.whole.contains($0) && $0 != "rgba" && !Self.likely.contains($0)
        }
        // Names of views are the first or the last word.
        let position =
          Self.whole.contains(last)
          ? 0 : words.contains(where: Self.whole.contains) ? 1 : last == "rgba" ? 2 : 3
        return penalty + (isUsual ? 100 : 200) + min(others, 9) * 10 + position * 2
          + (hasAlpha ? 0 : 1)
      }
      if layer.isEmpty { return penalty + (view == partName ? 0 : Self.firstUnnamedRank) }
      return penalty + Self.firstUnnamedRank + (hasAlpha ? 100 : 200) + words.count
    }

    /// The parts of a name between dots, in words.
    ///
    /// Nuke joins a layer and its view by an underscore in the names of parts: `rgba_main`.
    private static func words(_ name: Substring) -> [String] {
      let words = name.lowercased().split(separator: "_").map(String.init)
      return ["rgba", "rgb"].contains(words.first) ? words : [name.lowercased()]
    }

    /// The least rank of images whose names do not tell that they are the main one.
    fileprivate static let firstUnnamedRank = 1000
    /// Names of the image that consists of the other layers.
    private static let whole: Set<String> = ["beauty", "combined"]
    private static let likely: Set<String> = [
      "rgb", "main", "master", "composite", "final", "image", "color", "colour", "default",
    ]
  }

  /// All images, in the order of the file.
  package private(set) var all: [Entry] = []

  package init(of header: EXRHeader) {
    let isMultiPart = header.parts.count > 1
    for (index, part) in header.parts.enumerated() where !part.isDeep {
      let channels = Channels(part)
      for layer in [""] + channels.layers {
        guard let found = channels.image(in: layer) else { continue }
        all.append(
          Entry(
            number: all.count + 1, colorModel: found.colorModel, channels: found.channels,
            hasAlpha: found.hasAlpha, partIndex: index, layer: layer,
            partName: isMultiPart ? part.name ?? "" : "", view: part.view(ofLayer: layer),
            isSingleChannel: found.isSingleChannel))
      }
    }
  }

  /// The image that a selection names, else the one that people mean; `nil` for a file without
  /// images.
  ///
  /// - Throws: `.invalidArgument` for a selection that does not exist.
  package func chosen(_ selection: OpeningOptions.ImageSelection?) throws(ImageError) -> Entry? {
    if let selection {
      // A name of several layers means the most likely.
      let sorted = all.sorted { ($0.rank, $0.number) < ($1.rank, $1.number) }
      return try selection.choose(from: sorted.map { ($0.number, $0.names, $0) })
    }
    return all.min { ($0.rank, $0.number) < ($1.rank, $1.number) }
  }

  /// The notice about an image that was chosen among others.
  package func notices(of choice: Entry) -> [Notice] {
    let place = ImageError.Location(path: ["channels"])
    if choice.isSingleChannel {
      return [
        Notice(
          .assumed, "assumed: channel {channel} is gray", ["channel": choice.channels[0]], at: place
        )
      ]
    }
    guard !choice.layer.isEmpty || all.count > 1 && choice.rank >= Entry.firstUnnamedRank else {
      return []
    }
    return [
      Notice(
        .assumed, "assumed: layer {layer} (no default layer)", ["layer": choice.name], at: place)
    ]
  }
}

extension EXRHeader.Part {
  /// The view of a layer: that of the part, or of several in one part, the last word of the layer; the
  /// first view has channels without a word.
  ///
  /// Source: OpenEXR, "Storing Multi-View Images".
  fileprivate func view(ofLayer layer: String) -> String? {
    let last = layer.split(separator: ".").last.map(String.init)
    return view ?? views.first { $0 == last } ?? (layer.isEmpty ? views.first : nil)
  }
}

/// The channels of a part by layer.
private struct Channels {
  private let names: [String]
  /// Subsampling by channel name, for channels with equal subsampling in both directions.
  private let samplings: [String: Int32]
  /// Channel names by layer and, in lower case, by the name in the layer.
  private let byLayer: [String: [String: String]]

  init(_ part: EXRHeader.Part) {
    names = part.channels.map(\.name)
    let square = part.channels.filter { $0.xSampling == $0.ySampling }
    samplings = Dictionary(square.map { ($0.name, $0.xSampling) }) { first, _ in first }
    var byLayer: [String: [String: String]] = [:]
    for name in names {
      let (layer, channel) = Self.split(name)
      // Names in upper case, which the format defines, come first in the file.
      let key = channel.lowercased()
      if byLayer[layer, default: [:]][key] == nil { byLayer[layer, default: [:]][key] = name }
    }
    self.byLayer = byLayer
  }

  private static func split(_ name: String) -> (layer: String, channel: String) {
    guard let dot = name.lastIndex(of: ".") else { return ("", name) }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// Layer names (channel names up to the last dot), in file order.
  var layers: [String] {
    var seen: Set<String> = [""]
    return names.compactMap { name in
      let layer = Self.split(name).layer
      return seen.insert(layer).inserted ? layer : nil
    }
  }

  /// The image of a layer; `nil` for channels that are not one.
  func image(in layer: String) -> (
    colorModel: EXRLayout.ColorModel, channels: [String], hasAlpha: Bool, isSingleChannel: Bool
  )? {
    let own = byLayer[layer] ?? [:]
    /// The channel with one of these names and a subsampling.
    func channel(_ keys: String..., sampling: ClosedRange<Int32> = 1...1) -> String? {
      keys.lazy.compactMap { own[$0] }.first { sampling ~= samplings[$0] ?? 0 }
    }
    let alpha = [channel("a", "alpha")].compactMap(\.self)
    func found(
      _ model: EXRLayout.ColorModel, _ colors: [String]
    ) -> (EXRLayout.ColorModel, [String], Bool, Bool) {
      (model, colors + alpha, !alpha.isEmpty, false)
    }
    if let red = channel("r", "red"), let green = channel("g", "green"),
      let blue = channel("b", "blue")
    {
      return found(.rgb, [red, green, blue])
    }
    if let x = channel("x"), let y = channel("y"), let z = channel("z"), !layer.isEmpty {
      // Normals, positions and vectors.
      return found(.rgb, [x, y, z])
    }
    if let luminance = channel("y"), layer.isEmpty || own["x"] == nil {
      if let first = channel("ry", sampling: 1...2), let second = channel("by", sampling: 1...2),
        samplings[first] == samplings[second]
      {
        return found(
          .luminanceChroma(isSubsampled: samplings[first] == 2), [luminance, first, second])
      }
      return found(.gray, [luminance])
    }
    let colors = own.keys.filter { $0 != "a" && $0 != "alpha" }
    guard colors.count == 1, let only = colors.first.flatMap({ channel($0) }) else { return nil }
    return (.gray, [only] + alpha, !alpha.isEmpty, true)
  }
}
