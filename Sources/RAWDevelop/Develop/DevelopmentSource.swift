// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// The samples of a raw image, and those with less noise, for readers of any size.
final class DevelopmentSource: Sendable {
  let samples: RawSamples
  /// Semantic masks of the looks, by name.
  let masks: [String: Plane<UInt16>]
  private let reference = Mutex<LinearReference?>(nil)

  init(_ samples: RawSamples, masks: [String: Plane<UInt16>]) {
    (self.samples, self.masks) = (samples, masks)
  }

  /// The linear values of the samples, which are made once.
  func reference(
    _ make: (RawSamples) throws(ImageError) -> LinearReference
  ) throws(ImageError) -> LinearReference {
    try reference.withLock { reference throws(ImageError) in
      if let reference { return reference }
      let made = try make(samples)
      reference = made
      return made
    }
  }
}

/// An object that is made when it is needed, and shared as long as it is used.
final class SharedWhileUsed<Value: AnyObject & Sendable>: Sendable {
  private struct Reference: Sendable {
    weak var value: Value?
  }
  private let reference = Mutex(Reference())

  func value(_ make: () throws(ImageError) -> Value) throws(ImageError) -> Value {
    try reference.withLock { reference throws(ImageError) in
      if let known = reference.value { return known }
      let made = try make()
      reference.value = made
      return made
    }
  }
}
