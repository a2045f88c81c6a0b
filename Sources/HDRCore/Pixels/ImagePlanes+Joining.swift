// SPDX-License-Identifier: Apache-2.0
extension ImagePlanes {
  /// The rows of several images of equal layouts except for their height, in memory of their own.
  package init(joining parts: [ImagePlanes]) {
    let layout = parts[0].layout.strip(height: parts.reduce(0) { $0 + $1.layout.height })
    func joined<Sample>(
      _ planes: (Planes) -> [Plane<Sample>]?
    ) -> [Plane<Sample>] {
      let all = parts.compactMap { planes($0.planes) }
      return (0..<layout.planeCount).map { index in Plane(joining: all.map { $0[index] }) }
    }
    switch parts[0].planes {
    case .integer:
      self.init(
        layout: layout,
        planes: .integer(joined { if case .integer(let planes) = $0 { planes } else { nil } }))
    case .float:
      self.init(
        layout: layout,
        planes: .float(joined { if case .float(let planes) = $0 { planes } else { nil } }))
    case .half:
      self.init(
        layout: layout,
        planes: .half(joined { if case .half(let planes) = $0 { planes } else { nil } }))
    }
  }
}
