// SPDX-License-Identifier: Apache-2.0
// Processes without rights, in which jobs read untrusted files.
//
// A server is a program that this one starts. It forks a child for each request. A child gives up
// its rights before it receives a file: on Linux by seccomp, landlock and no-new-privileges, on every
// system by resource limits. It keeps what was opened for it: descriptors that come through its socket.
//
// Functions return 0 on success, unless noted otherwise.
#pragma once
#include <stddef.h>
#include <stdint.h>

// What a child may use.
typedef struct sandbox_limits {
  // Memory in addition to that of the program, in bytes.
  uint64_t memory;
  // Processor time.
  uint32_t seconds;
  uint32_t threads;
} sandbox_limits;

// How a child ended.
typedef struct sandbox_end {
  // The signal that killed it; 0 for none.
  int signal;
  int exit_code;
  // The number of the library in which it crashed; 0 if that is not known.
  int library;
} sandbox_end;

// Exit codes of a child.
enum {
  sandbox_exit_ok = 0,
  sandbox_exit_not_confined = 70,
  sandbox_exit_memory = 71,
};

// MARK: Parent

// Returns the path of the program that runs, which the caller frees.
char *_Nullable sandbox_executable(void);
// Starts a program of the same version as a server with `arguments`, which end with NULL. Returns the
// socket to the server, or a negative errno.
int sandbox_launch(
    const char *_Nonnull path, char *_Nullable const arguments[_Nonnull],
    const char *_Nonnull version, int32_t *_Nonnull server);
// Starts a child; returns its socket, or a negative errno: -ETIMEDOUT if the server does not answer in time
// (-1 for any time), after which it cannot be used.
int sandbox_start(
    int server, sandbox_limits limits, int milliseconds, int32_t *_Nonnull child);
// Kills a child and returns how it had ended before.
int sandbox_finish(int server, int32_t child, sandbox_end *_Nonnull end);
// The name of a library, or NULL.
const char *_Nullable sandbox_library(int number);
// Closes the socket to a server, kills one that does not answer, and waits until it has ended.
void sandbox_close_server(int server, int32_t process, int is_stuck);

// MARK: Server and child

// Whether this process was started as a server, which ends it for another version.
int sandbox_is_server(const char *_Nonnull version);
// Serves requests until the parent ends, then exits. Returns in each child: its socket.
int sandbox_serve(sandbox_limits *_Nonnull limits);
// Gives up the rights of this process.
int sandbox_confine(sandbox_limits limits);
// Ends a child without running handlers.
_Noreturn void sandbox_exit(int code);

// MARK: Both

// Sends bytes that are available at once, with a descriptor unless it is negative. Returns their
// number, 0 if the socket is not ready, or a negative errno.
ptrdiff_t sandbox_send(int socket, const void *_Nonnull bytes, size_t count, int descriptor);
// Receives bytes that are available at once, and a descriptor if one comes with them. Returns
// their number, 0 if the socket is not ready, or a negative errno; -EPIPE at the end.
ptrdiff_t sandbox_receive(
    int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptor);
// Waits until the socket is ready; negative for any time. Returns 1 if it is, 0 if it is not.
int sandbox_wait(int socket, int for_writing, int milliseconds);
void sandbox_close(int descriptor);
