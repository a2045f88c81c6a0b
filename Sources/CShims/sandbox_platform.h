// SPDX-License-Identifier: Apache-2.0
// What the systems do differently for `sandbox.c`.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifdef __linux__
enum { platform_no_sigpipe = MSG_NOSIGNAL, platform_close_on_exec = MSG_CMSG_CLOEXEC };
#else
enum { platform_no_sigpipe = 0, platform_close_on_exec = 0 };
#endif

enum { platform_path_capacity = 4096 };

// Writes the path of the program that runs.
int platform_executable(char path[platform_path_capacity]);
// Whether this process may call `fork` and go on.
int platform_is_single_threaded(void);
void platform_prepare_socket(int socket);
// Closes all descriptors from `first` on.
void platform_close_from(int first);
// Ends this process when its parent ends.
void platform_die_with(pid_t parent);
// Returns memory of the program's own, in bytes.
void platform_used_memory(uint64_t *data, uint64_t *addresses);
// Restricts the calls that this process may make.
int platform_confine(void);
// Returns a descriptor of empty shared memory, or a negative errno.
int platform_memory(void);
// Prevents shared memory from being resized.
void platform_seal(int memory);
