public import HDRCore

extension FoundGainMap {
  /// One description of the gain map in the file, readable or not.
  public struct Carrier: Sendable {
    public let flavor: GainMapFlavor
    /// Where it stands.
    public let location: ImageError.Location
    /// What it says, or why it says nothing.
    public let outcome: Result<FoundGainMap.Description, ImageError>

    public var reading: FoundGainMap.Description? { try? outcome.get() }
    public var failure: ImageError? {
      if case .failure(let error) = outcome { error } else { nil }
    }

    /// Reads a description; what goes wrong is kept, as it never costs the picture.
    package init(
      _ flavor: GainMapFlavor, at location: ImageError.Location,
      _ read: () throws(ImageError) -> FoundGainMap.Description
    ) {
      self.flavor = flavor
      self.location = location
      do throws(ImageError) {
        outcome = .success(try read())
      } catch {
        outcome = .failure(error)
      }
    }
  }
}
