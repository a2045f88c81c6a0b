// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Serialized opcode lists, always big-endian.
enum OpcodeBytes {
  /// A number of an opcode's payload.
  enum Number {
    case int(Int)
    case code(Int)
    case float(Float)
    case double(Double)

    var bytes: [UInt8] {
      func digits(_ bits: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
      }
      switch self {
      case .int(let value): return digits(UInt64(value), 4)
      case .code(let value): return digits(UInt64(value), 2)
      case .float(let value): return digits(UInt64(value.bitPattern), 4)
      case .double(let value): return digits(value.bitPattern, 8)
      }
    }
  }

  struct Opcode {
    var identifier: Int
    var isOptional = false
    var payload: [Number]
  }

  static func list(_ opcodes: Opcode...) -> SyntheticDNG.Value { list(opcodes) }

  static func list(_ opcodes: [Opcode]) -> SyntheticDNG.Value {
    let head = Number.int(opcodes.count).bytes
    return .undefined(
      opcodes.reduce(head) { bytes, opcode in
        let payload = opcode.payload.flatMap(\.bytes)
        let words: [Number] = [
          .int(opcode.identifier), .int(0x0103_0000), .int(opcode.isOptional ? 1 : 0),
          .int(payload.count),
        ]
        return bytes + words.flatMap(\.bytes) + payload
      })
  }

  /// An area: top, left, bottom, right; first plane and their number; pitches.
  static func area(
    _ sides: [Int], planes: (Int, Int) = (0, 1), pitch: (Int, Int) = (1, 1)
  ) -> [Number] {
    (sides + [planes.0, planes.1, pitch.0, pitch.1]).map { .int($0) }
  }
}
