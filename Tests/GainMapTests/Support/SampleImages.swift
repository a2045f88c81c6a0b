// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Images of random samples that include runs of the extreme values.
enum SampleImages {
  static func random(
    width: Int, height: Int, components: ImageLayout.Components, bits: Int, seed: UInt64,
    hasAlpha: Bool = false
  ) -> ImagePlanes {
    let format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: bits),
      hasAlpha: hasAlpha)
    var random = SplitMix(seed: seed)
    let largest = UInt16(1 << bits - 1)
    let planes = (0..<format.planeCount).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { samples in
        for _ in 0..<size.width * size.height {
          let choice = random.next() % 16
          let code = UInt16(truncatingIfNeeded: random.next() >> 20) & largest
          samples.append(choice == 0 ? 0 : choice == 1 ? largest : code)
        }
      }
    }
    return ImagePlanes(layout: format, planes: .integer(planes))
  }

  /// The code value of a component at a position.
  static func code(_ image: ImagePlanes, _ component: Int, x: Int, y: Int) -> UInt16 {
    guard case .integer(let planes) = image.planes else { return 0 }
    let plane = planes[min(component, planes.count - 1)]
    return plane.span[y * plane.width + x]
  }
}

extension ImagePlanes {
  var rgbCoding: ImageLayout {
    var format = layout
    format.components = .rgb
    return format
  }
}
