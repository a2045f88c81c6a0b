// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ImageOverlay {
  /// Throws an error unless one layer covers the canvas and all layers are aligned to chroma
  /// samples.
  ///
  /// A visible canvas is not supported: its fill color is RGB, which the coded planes cannot store.
  package func requireCovered(by layers: [ItemImage]) throws(ImageError) {
    let isCovered = zip(positions, layers).contains { position, layer in
      position.x <= 0 && position.y <= 0 && layer.width + Int(position.x) >= Int(width)
        && layer.height + Int(position.y) >= Int(height)
    }
    let isAligned = zip(positions, layers).allSatisfy { position, layer in
      Int(position.x).isMultiple(of: layer.chroma.horizontal)
        && Int(position.y).isMultiple(of: layer.chroma.vertical)
    }
    guard isCovered, isAligned else {
      throw ImageError(
        .unsupported, "an overlay with visible canvas or between chroma samples is not supported")
    }
  }
}
