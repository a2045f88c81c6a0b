// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Name of the instruction set of the selected kernels: "baseline" if they have one version only.
package var kernelInstructionSet: String {
  // SAFETY: a constant string.
  unsafe String(cString: pk_instruction_set())
}
