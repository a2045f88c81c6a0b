// SPDX-License-Identifier: Apache-2.0
internal import CShims
internal import HDRCore

/// Returns memory that libraries and arrays have freed to the system.
package func returnFreedMemory() { memory_return_freed() }

/// Frees idle memory between steps of a job whose planes differ in size, so that it is not reused.
package func freeIdleMemory() {
  freeIdleSampleMemory()
  memory_return_freed()
}
