// SPDX-License-Identifier: Apache-2.0
/// Bytes from hexadecimal digits; other characters are ignored.
public func hex(_ digits: String) -> [UInt8] {
  let values = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: values.count - 1, by: 2).map {
    UInt8(values[$0] << 4 | values[$0 + 1])
  }
}

extension Array {
  public init(_ span: borrowing Span<Element>) where Element: BitwiseCopyable {
    self = []
    reserveCapacity(span.count)
    for index in span.indices { append(span[index]) }
  }
}
