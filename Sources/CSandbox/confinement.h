// SPDX-License-Identifier: Apache-2.0
// Functions that differ between systems; conditions on the system are in `confinement.c` only.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Flag of `sendmsg` that returns EPIPE instead of raising SIGPIPE, or 0 where the system lacks it.
extern const int platform_no_sigpipe;
// Flag of `recvmsg` that closes received descriptors on exec, or 0 where the system lacks it.
extern const int platform_close_on_exec;

enum { platform_path_capacity = 4096 };

// Writes the path of the program that runs.
int platform_executable(char path[platform_path_capacity]);
void platform_prepare_socket(int socket);
// Closes all descriptors from `first` on.
void platform_close_from(int first);
// Ends this process when its parent ends.
void platform_die_with(pid_t parent);
// Returns memory of the program's own, in bytes.
void platform_used_memory(uint64_t *data, uint64_t *addresses);
// Calls `note` for the code of each shared library of this process, with the name of its file.
void platform_list_libraries(void (*note)(const char *name, uintptr_t start, uintptr_t end));
// The addresses of the next instruction and of the stack in the context of a signal.
void platform_crash_place(const void *context, uintptr_t *instruction, const uintptr_t **stack);
// Restricts the calls that this process may make.
int platform_confine(void);
