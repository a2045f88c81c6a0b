// SPDX-License-Identifier: Apache-2.0
/// A stage of a conversion.
public enum ConversionStage: String, Hashable, Sendable, CaseIterable {
  /// The file is opened.
  case reading
  /// The headroom of the image is measured, which takes a pass of its own.
  case measuring
  /// Samples are decoded and converted; formats whose encoders accept rows are encoded as well.
  case converting
  /// The whole image is encoded and written.
  case encoding
}

/// The progress of a conversion.
public struct ConversionProgress: Hashable, Sendable {
  /// The stage that runs.
  public let stage: ConversionStage
  /// The share of the whole conversion that is done, 0...1, estimated where a library reports none.
  ///
  /// It never decreases, and is 1 when the file is complete.
  public let share: Double
}

/// A report of the work while it runs.
package enum ConversionEvent: Hashable, Sendable {
  /// The stages, with the seconds that each is expected to take.
  case planned([ConversionStage: Double])
  /// The stage that runs, and the share of it that is done, 0...1; 0 if the codec does not report
  /// any.
  case progress(ConversionStage, Double)
}
