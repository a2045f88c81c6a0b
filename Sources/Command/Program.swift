// SPDX-License-Identifier: Apache-2.0

/// The command, for the programs that consist of it.
package enum Program {
  /// Runs the command with the arguments of this process, or serves another one that does.
  package static func run() { HDRConvert.main() }
}
