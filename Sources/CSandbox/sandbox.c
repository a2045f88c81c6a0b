// SPDX-License-Identifier: Apache-2.0
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confinement.h"

// Sanitizers reserve terabytes of addresses.
#define LIMITS_MEMORY 1
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef LIMITS_MEMORY
#define LIMITS_MEMORY 0
#endif
#endif

extern char **environ;

// Marks the environment of a server.
static const char marker[] = "HDRCONVERT_SERVES_JOBS";

// The descriptor of a server's socket.
enum { control = 3 };

enum command { start_child = 1, finish_child = 2 };

struct request {
  uint32_t command;
  int32_t child;
  sandbox_limits limits;
};

struct answer {
  // A process, or a negative errno.
  int32_t child;
  sandbox_end end;
};

// Signals of a crash.
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
enum { crash_count = sizeof crashes / sizeof *crashes };

// Libraries whose crashes are named, by the beginning of their files.
static const char *const libraries[] = {
    "libheif",  "libx265",    "libde265", "libaom",   "libdav1d",    "libSvtAv1", "libpng",
    "libjpegxr", "libjpeg",  "libtiff",    "libraw",   "libjxl",  "liblcms2", "libdeflate",
    "libisal",  "libz",       "libbrotli", "libOpenEXR", "libImath",
};
enum { library_count = sizeof libraries / sizeof *libraries };

// A child that crashes in one of them ends with this code plus a number for both.
enum { exit_crashed = 100 };
_Static_assert(exit_crashed + library_count * crash_count < 256, "exit codes have 8 bits");

// MARK: Sockets

ptrdiff_t sandbox_send(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } rights;
  if (descriptor >= 0) {
    memset(&rights, 0, sizeof rights);
    message.msg_control = &rights;
    message.msg_controllen = sizeof rights;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, platform_no_sigpipe | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  if (sent >= 0) return sent;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ? 0 : -errno;
}

ptrdiff_t sandbox_receive(int socket, void *bytes, size_t count, int *descriptor) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } rights;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
  ssize_t received;
  do received = recvmsg(socket, &message, platform_close_on_exec | MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  if (received < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    if (*descriptor >= 0) close(*descriptor);
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  }
  return received == 0 ? -EPIPE : received;
}

int sandbox_wait(int socket, int for_writing, int milliseconds) {
  struct pollfd entry = {.fd = socket, .events = for_writing ? POLLOUT : POLLIN};
  return poll(&entry, 1, milliseconds) > 0;
}

void sandbox_close(int descriptor) { close(descriptor); }

// Sends or receives all bytes of a message between parent and server.
static int send_all(int socket, const void *bytes, size_t count, int descriptor) {
  while (count > 0) {
    ptrdiff_t sent = sandbox_send(socket, bytes, count, descriptor);
    if (sent < 0) return (int)sent;
    if (sent == 0) sandbox_wait(socket, 1, -1);
    if (sent > 0) descriptor = -1;
    bytes = (const char *)bytes + sent;
    count -= (size_t)sent;
  }
  return 0;
}

static int receive_all(int socket, void *bytes, size_t count, int *descriptor) {
  while (count > 0) {
    ptrdiff_t received = sandbox_receive(socket, bytes, count, descriptor);
    if (received < 0) return (int)received;
    if (received == 0) sandbox_wait(socket, 0, -1);
    bytes = (char *)bytes + received;
    count -= (size_t)received;
  }
  return 0;
}

static int socket_pair(int pair[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return -errno;
  for (int i = 0; i < 2; i++) {
    fcntl(pair[i], F_SETFD, FD_CLOEXEC);
    platform_prepare_socket(pair[i]);
  }
  return 0;
}

// MARK: Parent

// Signals that a program may ignore, which its server does not.
static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGXFSZ, SIGPIPE, SIGCHLD};
static const size_t ignored_count = sizeof ignored / sizeof *ignored;

char *sandbox_executable(void) {
  char path[platform_path_capacity];
  return platform_executable(path) == 0 ? realpath(path, NULL) : NULL;
}

int sandbox_launch(
    const char *path, char *const arguments[], const char *version, int32_t *server) {
  static _Atomic int is_marked;
  if (!is_marked && setenv(marker, version, 1) != 0) return -errno;
  is_marked = 1;
  int pair[2];
  int failure = socket_pair(pair);
  if (failure != 0) return failure;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // `dup2` clears close-on-exec, unless both descriptors are the same.
  int end = fcntl(pair[1], F_DUPFD_CLOEXEC, control + 1);
  posix_spawn_file_actions_adddup2(&actions, end, control);
  for (int stream = 0; stream < control; stream++) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  // A signal of the terminal ends the parent, and with it the server.
  sigset_t signals, none;
  sigemptyset(&none);
  sigemptyset(&signals);
  for (size_t i = 0; i < ignored_count; i++) sigaddset(&signals, ignored[i]);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(
      &attributes,
      POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  failure =
      end < 0 ? errno : posix_spawn(&process, path, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (end >= 0) close(end);
  close(pair[1]);
  if (failure != 0) {
    close(pair[0]);
    return -failure;
  }
  *server = process;
  return pair[0];
}

int sandbox_start(int server, sandbox_limits limits, int milliseconds, int32_t *child) {
  int pair[2];
  int failure = socket_pair(pair);
  if (failure != 0) return failure;
  struct request request = {.command = start_child, .limits = limits};
  struct answer answer = {0};
  int none = -1;
  failure = send_all(server, &request, sizeof request, pair[1]);
  close(pair[1]);
  if (failure == 0 && milliseconds >= 0) {
    struct pollfd entry = {.fd = server, .events = POLLIN};
    int ready;
    do {
      ready = poll(&entry, 1, milliseconds);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) failure = -ETIMEDOUT;
  }
  if (failure == 0) failure = receive_all(server, &answer, sizeof answer, &none);
  if (failure == 0 && answer.child < 0) failure = answer.child;
  if (failure != 0) {
    close(pair[0]);
    return failure;
  }
  *child = answer.child;
  return pair[0];
}

int sandbox_finish(int server, int32_t child, sandbox_end *end) {
  struct request request = {.command = finish_child, .child = child};
  struct answer answer = {0};
  int none = -1;
  int failure = send_all(server, &request, sizeof request, -1);
  if (failure == 0) failure = receive_all(server, &answer, sizeof answer, &none);
  *end = answer.end;
  int crash = end->exit_code - exit_crashed;
  if (end->signal == 0 && crash >= 0 && crash < library_count * crash_count) {
    *end = (sandbox_end){
        .signal = crashes[crash % crash_count], .library = 1 + crash / crash_count};
  }
  return failure;
}

const char *sandbox_library(int number) {
  return number >= 1 && number <= library_count ? libraries[number - 1] : NULL;
}

void sandbox_close_server(int server, int32_t process, int is_stuck) {
  close(server);
  if (is_stuck) kill(process, SIGKILL);
  while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
}

// MARK: Server and child

// The code of libraries whose crashes are named.
static struct {
  uintptr_t start, end;
  int library;
} codes[64];
static size_t code_count;

static void note_library(const char *path, uintptr_t start, uintptr_t end) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  for (int i = 0; i < library_count && code_count < sizeof codes / sizeof *codes; i++) {
    size_t length = strlen(libraries[i]);
    // As in libjpeg.so.62, libjxl_threads.so.0.7 and libOpenEXR-3_1.so.30.
    if (strncmp(name, libraries[i], length) != 0 || strchr(".-_", name[length]) == NULL) continue;
    codes[code_count].start = start;
    codes[code_count].end = end;
    codes[code_count++].library = i;
  }
}

int sandbox_is_server(const char *version) {
  struct stat status;
  const char *found = getenv(marker);
  if (found == NULL || fstat(control, &status) != 0 || !S_ISSOCK(status.st_mode)) return 0;
  if (strcmp(found, version) != 0) _exit(sandbox_exit_not_confined);
  unsetenv(marker);
  return 1;
}

int sandbox_serve(sandbox_limits *limits) {
  platform_list_libraries(note_library);
  platform_close_from(control + 1);
  platform_prepare_socket(control);
  fcntl(control, F_SETFD, FD_CLOEXEC);
  struct request request;
  int socket = -1;
  while (receive_all(control, &request, sizeof request, &socket) == 0) {
    struct answer answer = {0};
    if (request.command == start_child && socket >= 0) {
      pid_t parent = getpid();
      pid_t child = fork();
      if (child == 0) {
        close(control);
        platform_die_with(parent);
        *limits = request.limits;
        return socket;
      }
      answer.child = child < 0 ? -errno : child;
    } else if (request.command == finish_child && request.child > 1) {
      // A child that has ended keeps its status.
      int status = 0;
      siginfo_t own;
      // Another process may have the number of one that a former server started.
      if (waitid(P_PID, (id_t)request.child, &own, WEXITED | WNOHANG | WNOWAIT) == 0) {
        kill(request.child, SIGKILL);
        while (waitpid(request.child, &status, 0) < 0 && errno == EINTR) {}
      }
      answer.end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      answer.end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    }
    if (socket >= 0) close(socket);
    socket = -1;
    if (send_all(control, &answer, sizeof answer, -1) != 0) break;
  }
  _exit(0);
}

void sandbox_exit(int code) { _exit(code); }

// Memory that a child that crashes cannot allocate if it crashed for lack of memory.
static size_t reserve;

// The library with an address, or -1.
static int library_at(uintptr_t address) {
  for (size_t i = 0; i < code_count; i++) {
    if (address >= codes[i].start && address < codes[i].end) return codes[i].library;
  }
  return -1;
}

// The library of a crash: that of the instruction, or the one that was called last before `abort`.
static int crashed_library(int number, const void *context) {
  uintptr_t instruction = 0;
  const uintptr_t *stack = NULL;
  platform_crash_place(context, &instruction, &stack);
  int library = library_at(instruction);
  if (number != SIGABRT || stack == NULL) return library;
  for (size_t i = 0; library < 0 && i < 1024; i++) library = library_at(stack[i]);
  return library;
}

// Distinguishes a crash for lack of memory from others.
static void crashed(int number, siginfo_t *information, void *context) {
  (void)information;
  static _Atomic int count;
  // Reading the stack may end there.
  if (count++ == 0) {
    void *probe =
        mmap(NULL, reserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) _exit(sandbox_exit_memory);
    int library = crashed_library(number, context);
    for (int i = 0; i < crash_count && library >= 0; i++) {
      if (crashes[i] == number) _exit(exit_crashed + library * crash_count + i);
    }
  }
  signal(number, SIG_DFL);
  raise(number);
}

static void handle_crashes(sandbox_limits limits) {
  static char stack[1 << 16];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  reserve = (size_t)(limits.memory / 8 > 1 << 20 ? limits.memory / 8 : 1 << 20);
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &action, NULL);
}

static void limit(int resource, uint64_t most) {
  struct rlimit present;
  if (getrlimit(resource, &present) != 0) return;
  rlim_t value = (rlim_t)most;
  // That of the command as well.
  if (present.rlim_cur != RLIM_INFINITY && present.rlim_cur < value) value = present.rlim_cur;
  struct rlimit lowered = {.rlim_cur = value, .rlim_max = value};
  // The signal of the first limit of processor time tells it from others that kill.
  if (resource == RLIMIT_CPU && value < present.rlim_max) lowered.rlim_max++;
  setrlimit(resource, &lowered);
}

int sandbox_confine(sandbox_limits limits) {
  handle_crashes(limits);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 64);
  limit(RLIMIT_CPU, limits.seconds);
#if LIMITS_MEMORY
  uint64_t data, addresses;
  platform_used_memory(&data, &addresses);
  // Stacks, and the heaps that an allocator reserves for each thread.
  uint64_t threads = (uint64_t)limits.threads + 2;
  limit(RLIMIT_DATA, data + limits.memory + threads * (9u << 20));
  limit(RLIMIT_AS, addresses + 2 * limits.memory + threads * (137u << 20));
#endif
  return platform_confine();
}
