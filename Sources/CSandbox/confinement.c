// SPDX-License-Identifier: Apache-2.0
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

const int platform_no_sigpipe = MSG_NOSIGNAL;
const int platform_close_on_exec = MSG_CMSG_CLOEXEC;

int platform_executable(char path[platform_path_capacity]) {
  strcpy(path, "/proc/self/exe");
  return 0;
}

void platform_prepare_socket(int socket) { (void)socket; }

void platform_close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  for (int descriptor = first; descriptor < 1024; descriptor++) close(descriptor);
}

void platform_die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
}

static int list_library(struct dl_phdr_info *library, size_t size, void *note) {
  (void)size;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    uintptr_t start = library->dlpi_addr + part->p_vaddr;
    ((void (*)(const char *, uintptr_t, uintptr_t))note)(library->dlpi_name, start, start + part->p_memsz);
  }
  return 0;
}

void platform_list_libraries(void (*note)(const char *name, uintptr_t start, uintptr_t end)) {
  dl_iterate_phdr(list_library, (void *)note);
}

void platform_crash_place(const void *context, uintptr_t *instruction, const uintptr_t **stack) {
  const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
  *instruction = (uintptr_t)machine->gregs[REG_RIP];
  *stack = (const uintptr_t *)machine->gregs[REG_RSP];
#elif defined(__aarch64__)
  *instruction = machine->pc;
  *stack = (const uintptr_t *)machine->sp;
#endif
}

void platform_used_memory(uint64_t *data, uint64_t *addresses) {
  unsigned long long size = 0, private = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file != NULL) {
    if (fscanf(file, "%llu %*u %*u %*u %*u %llu", &size, &private) != 2) size = private = 0;
    fclose(file);
  }
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  *addresses = size * page;
  *data = private * page;
}

// MARK: Landlock

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

// Forbids all access to files and the network that the kernel can forbid.
//
// Source: linux/landlock.h; a ruleset without rules allows nothing that it handles.
static void restrict_by_landlock(void) {
  struct {
    uint64_t files, network, scopes;
  } handled = {0};
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
  if (version < 1) return;
  unsigned rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  handled.files = (1u << rights) - 1;
  size_t size = sizeof(uint64_t);
  if (version >= 4) {
    handled.network = 3;
    size = 2 * sizeof(uint64_t);
  }
  if (version >= 6) {
    handled.scopes = 3;
    size = 3 * sizeof(uint64_t);
  }
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0u);
  if (rules < 0) return;
  syscall(SYS_landlock_restrict_self, rules, 0u);
  close(rules);
}

// MARK: Seccomp

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
// Calls that memory, threads, time and open descriptors need, whatever their arguments.
static const unsigned allowed[] = {
    // The socket, and files that are open.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_recvmsg, SYS_sendmsg,
    SYS_recvfrom, SYS_sendto, SYS_ppoll, SYS_close, SYS_lseek, SYS_fstat,
    // Memory; `mmap` and `mprotect` are below.
    SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_membarrier,
    // Threads and signals of this process.
    SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_gettid, SYS_getpid, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_getcpu,
#ifdef SYS_rseq
    SYS_rseq,
#endif
    // Time, random numbers, and properties of the machine.
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_getrandom, SYS_sysinfo, SYS_uname,
#ifdef __x86_64__
    SYS_poll, SYS_time, SYS_arch_prctl,
#endif
};

enum { most_instructions = 160 };

struct program {
  struct sock_filter code[most_instructions];
  unsigned short count;
};

static void append(struct program *program, struct sock_filter instruction) {
  if (program->count < most_instructions) program->code[program->count++] = instruction;
}

static void load(struct program *program, size_t offset) {
  append(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void answer(struct program *program, unsigned result) {
  append(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
}

// Returns `result` if the accumulator is `value`.
static void answer_if(struct program *program, unsigned value, unsigned result) {
  append(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  answer(program, result);
}

// Answers a call by an argument: `equal` if (argument & mask) is `value`, else `other`. The
// accumulator must hold the number of the call.
static void answer_by_argument(
    struct program *program, unsigned call, unsigned index, unsigned mask, unsigned value,
    unsigned equal, unsigned other) {
  append(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5));
  // The lower half: both architectures are little-endian.
  load(program, offsetof(struct seccomp_data, args) + 8 * index);
  append(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
  append(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  answer(program, equal);
  answer(program, other);
}

static int restrict_calls(void) {
  const unsigned refused = SECCOMP_RET_ERRNO | EPERM;
  struct program program = {.count = 0};
  load(&program, offsetof(struct seccomp_data, arch));
  append(
      &program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  answer(&program, SECCOMP_RET_KILL_PROCESS);
  load(&program, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    answer_if(&program, allowed[i], SECCOMP_RET_ALLOW);
  }
  // Memory that is not executable.
  answer_by_argument(&program, SYS_mmap, 2, PROT_EXEC, 0, SECCOMP_RET_ALLOW, refused);
  answer_by_argument(&program, SYS_mprotect, 2, PROT_EXEC, 0, SECCOMP_RET_ALLOW, refused);
  // Threads, but not processes; the C library falls back from `clone3`, whose arguments are in
  // memory.
  answer_by_argument(
      &program, SYS_clone, 0, CLONE_THREAD, CLONE_THREAD, SECCOMP_RET_ALLOW, refused);
#ifdef SYS_clone3
  answer_if(&program, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
#endif
  // Names of threads and of memory.
  answer_by_argument(
      &program, SYS_prctl, 0, ~0u, PR_SET_NAME, SECCOMP_RET_ALLOW, refused);
  // Signals to this process.
  answer_by_argument(
      &program, SYS_tgkill, 0, ~0u, (unsigned)getpid(), SECCOMP_RET_ALLOW, refused);
  answer(&program, refused);
  if (program.count == most_instructions) return -E2BIG;
  struct sock_fprog filter = {.len = program.count, .filter = program.code};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : -errno;
}
#else
static int restrict_calls(void) { return -ENOSYS; }
#endif

int platform_confine(void) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
  restrict_by_landlock();
  return restrict_calls();
}

#else
#include <mach-o/dyld.h>

const int platform_no_sigpipe = 0;
const int platform_close_on_exec = 0;

int platform_executable(char path[platform_path_capacity]) {
  uint32_t capacity = platform_path_capacity;
  return _NSGetExecutablePath(path, &capacity);
}

void platform_prepare_socket(int socket) {
  int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
}

void platform_close_from(int first) {
  for (int descriptor = first; descriptor < 1024; descriptor++) close(descriptor);
}

// Crashes are those of the program.
void platform_list_libraries(void (*note)(const char *name, uintptr_t start, uintptr_t end)) {
  (void)note;
}

void platform_crash_place(const void *context, uintptr_t *instruction, const uintptr_t **stack) {
  (void)context;
  (void)instruction;
  (void)stack;
}

// The end of the parent closes the socket, which ends this process.
void platform_die_with(pid_t parent) { (void)parent; }

void platform_used_memory(uint64_t *data, uint64_t *addresses) {
  // The shared cache of libraries alone takes several gigabytes of addresses.
  *data = 0;
  *addresses = (uint64_t)1 << 40;
}

int platform_confine(void) { return 0; }
#endif
