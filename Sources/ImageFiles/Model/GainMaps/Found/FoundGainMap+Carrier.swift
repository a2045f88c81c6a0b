// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

extension FoundGainMap {
  /// Metadata of one flavor in a file, readable or not.
  public struct Carrier: Hashable, Sendable {
    /// Flavor of the metadata.
    public let flavor: GainMapFlavor
    /// Place of the metadata.
    public let location: ImageError.Location
    /// The metadata, or the reason why they cannot be read.
    public let result: Result<Description, ImageError>

    /// The metadata with their stored values; `nil` if they cannot be read.
    public var description: Description? { try? result.get() }
    /// The metadata without their stored values; `nil` if they cannot be read.
    public var metadata: GainMapMetadata? { description?.metadata }
    /// The reason why the metadata cannot be read; `nil` if they can.
    public var failure: ImageError? {
      if case .failure(let error) = result { error } else { nil }
    }

    package init(_ description: Description, at location: ImageError.Location) {
      flavor = description.flavor
      self.location = location
      result = .success(description)
    }

    /// Parses metadata; errors are kept, since the baseline image can be shown without them.
    ///
    /// - Throws: Errors that end the whole job.
    package init(
      _ flavor: GainMapFlavor, at location: ImageError.Location,
      _ parse: () throws(ImageError) -> Description
    ) throws(ImageError) {
      self.flavor = flavor
      self.location = location
      do throws(ImageError) {
        result = .success(try parse())
      } catch {
        guard !error.endsJob else { throw error }
        result = .failure(error)
      }
    }
  }

  /// Metadata of one flavor, with the stored values that they follow from.
  public struct Description: Hashable, Sendable {
    /// A stored value as text, and its source.
    public struct Number: Hashable, Sendable {
      /// Metadata that contain a number; raw values are stable.
      public enum Source: String, Hashable, Sendable, CaseIterable {
        case isoPayload = "iso-payload"
        case xmp
        case makerNote = "maker-note"
        /// The format's default for a missing value.
        case formatDefault = "default"
        /// This reader's assumption for a value that files do not specify.
        case assumed
      }

      /// Name of the value.
      public var name: String
      /// The value.
      public var text: String
      /// Metadata that contain the number.
      public var source: Source
      /// The source itself: a property, a field, or tags and the branch of a rule.
      public var origin: String

      package init(_ name: String, _ text: String, _ source: Source, from origin: String) {
        self.name = name
        self.text = text
        self.source = source
        self.origin = origin
      }
    }

    /// Flavor of the metadata.
    public var flavor: GainMapFlavor
    /// The relation of the samples to gain.
    public var metadata: GainMapMetadata
    /// All values, in the order of the format; empty for metadata that were not read from a file.
    public var numbers: [Number]

    package init(flavor: GainMapFlavor, metadata: GainMapMetadata, numbers: [Number]) {
      self.flavor = flavor
      self.metadata = metadata
      self.numbers = numbers
    }
  }
}
