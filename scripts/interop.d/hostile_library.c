// SPDX-License-Identifier: Apache-2.0
// A library in the hands of a file: replaces a function of libjpeg (LD_PRELOAD) and does what HOSTILE names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// The open descriptor that cannot seek.
static int connection(void) {
  for (int descriptor = 3; descriptor < 64; descriptor++) {
    if (lseek(descriptor, 0, SEEK_CUR) < 0 && errno == ESPIPE) return descriptor;
  }
  return -1;
}

static void send_message(const char *text) {
  uint32_t size = (uint32_t)strlen(text);
  int socket = connection();
  if (write(socket, &size, sizeof size) < 0 || write(socket, text, size) < 0) _exit(1);
}

// Files that this process can write.
static int writable_files(void) {
  int count = 0;
  for (int descriptor = 3; descriptor < 64; descriptor++) {
    count += lseek(descriptor, 0, SEEK_CUR) >= 0 && write(descriptor, "", 1) == 1 && lseek(descriptor, -1, SEEK_CUR) >= 0;
  }
  return count;
}

// Whether something succeeded that may not.
static int succeeds(const char *action) {
  const char *file = getenv("HOSTILE_FILE");
  char *const arguments[] = {"true", NULL};
  struct rlimit limit = {.rlim_cur = 1 << 30, .rlim_max = 1 << 30};
  if (strcmp(action, "open") == 0) return open("/etc/passwd", O_RDONLY) >= 0;
  if (strcmp(action, "create") == 0) return open(file, O_WRONLY | O_CREAT, 0600) >= 0;
  if (strcmp(action, "remove") == 0) return unlink(file) == 0;
  if (strcmp(action, "internet") == 0) return socket(AF_INET, SOCK_STREAM, 0) >= 0;
  if (strcmp(action, "socket") == 0) return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
  if (strcmp(action, "fork") == 0) return fork() >= 0;
  if (strcmp(action, "execute") == 0) return execv("/bin/true", arguments) == 0;
  if (strcmp(action, "trace") == 0) return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
  if (strcmp(action, "signal") == 0) return kill(getppid(), SIGUSR1) == 0;
  if (strcmp(action, "limit") == 0) return setrlimit(RLIMIT_FSIZE, &limit) == 0;
  if (strcmp(action, "code") == 0) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  }
  // The partial output alone.
  if (strcmp(action, "descriptors") == 0) return writable_files() > 1;
  return 0;
}

static void act(const char *action) {
  if (strcmp(action, "crash") == 0) *(volatile int *)8 = 1;
  if (strcmp(action, "abort") == 0) abort();
  if (strcmp(action, "exit") == 0) _exit(0);
  if (strcmp(action, "spin") == 0) for (volatile int i = 0;; i++) {}
  if (strcmp(action, "sleep") == 0) for (;;) pause();
  if (strcmp(action, "allocate") == 0) {
    for (char *volatile block; (block = malloc(1 << 20)) != NULL;) memset(block, 1, 1 << 20);
    abort();
  }
  if (strcmp(action, "nonsense") == 0) {
    const char bytes[64] = "\x08\0\0\0nonsense";
    if (write(connection(), bytes, sizeof bytes) > 0) for (;;) pause();
  }
  if (strcmp(action, "flood") == 0) for (;;) send_message("{\"message\":{\"_0\":\"flood \\u001b[2J\"}}");
  if (strcmp(action, "message") == 0) {
    send_message(getenv("HOSTILE_MESSAGE"));
    for (;;) pause();
  }
  if (succeeds(action)) _exit(9);
}

void jpeg_CreateDecompress(void *decoder, int version, size_t size) {
  void (*original)(void *, int, size_t) = (void (*)(void *, int, size_t))dlsym(RTLD_NEXT, "jpeg_CreateDecompress");
  const char *action = getenv("HOSTILE");
  // The server, which leads a group of processes, decodes an image of its own.
  if (action != NULL && getpid() != getpgrp()) act(action);
  original(decoder, version, size);
}
