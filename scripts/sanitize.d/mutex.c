// SPDX-License-Identifier: Apache-2.0
// Makes Synchronization.Mutex visible to ThreadSanitizer on Linux; preloaded by scripts/sanitize.
//
// Clients inline the path without contention, whose atomics ThreadSanitizer sees. The other one is in
// the Swift library, which is not instrumented, so that values behind a contended mutex are reported
// as races.
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define CONTEXT __attribute__((swift_context))

__attribute__((weak)) extern void __tsan_acquire(void *address);
__attribute__((weak)) extern void __tsan_release(void *address);

// Synchronization._MutexHandle._lockSlow(_: UInt32)
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// Synchronization._MutexHandle._unlockSlow()
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(CONTEXT void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) {
  SWIFT void (*lock)(uint32_t, CONTEXT void *) = dlsym(RTLD_NEXT, LOCK);
  lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(CONTEXT void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  SWIFT void (*unlock)(CONTEXT void *) = dlsym(RTLD_NEXT, UNLOCK);
  unlock(mutex);
}
