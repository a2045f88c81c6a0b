// SPDX-License-Identifier: Apache-2.0
// Functions of one shared library, which is loaded when the first of them is called: x265, libaom and others that
// codec libraries require initialize tables as they are loaded, which takes longer than `hdrconvert inspect`.
//
// NAME is the name of the library for the linker, LIBRARY its file name, FUNCTIONS a file of lines FUNCTION(index, name), and COUNT their number.
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Addresses of the functions; null before the first call. The code below reads them.
static _Atomic(void *) addresses[COUNT] __attribute__((used));
// In one array, which needs no relocations.
static const char names[] =
#define FUNCTION(index, name) #name "\0"
#include FUNCTIONS
#undef FUNCTION
    ;
static void *library;
static char failure[1024];

static void load(void) {
  library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library) return;
  const char *reason = dlerror();
  snprintf(failure, sizeof failure, "%s", reason ? reason : LIBRARY);
}

#define JOINED(one, other) one##other
#define FUNCTION_OF(prefix, name) JOINED(prefix, name)

// Takes the place of the function in CShims/libraries.c.
const char *FUNCTION_OF(library_load_, NAME)(void) {
  static pthread_once_t loaded = PTHREAD_ONCE_INIT;
  pthread_once(&loaded, load);
  return library ? NULL : failure;
}

static __attribute__((used)) void *find(unsigned index) {
  const char *reason = FUNCTION_OF(library_load_, NAME)();
  const char *name = names;
  for (unsigned passed = 0; passed < index; passed++) name += strlen(name) + 1;
  void *function = reason ? NULL : dlsym(library, name);
  if (!function) {
    // Callers load the library before, so that it has not the functions of the one that was linked.
    fprintf(stderr, "hdrconvert: %s of " LIBRARY " is missing: %s\n", name, reason ? reason : "another version");
    exit(70);
  }
  atomic_store_explicit(&addresses[index], function, memory_order_release);
  return function;
}

// Each function jumps to its address. Before the first call, it saves the registers of its arguments and asks `find`.
#if defined(__x86_64__)
#define FUNCTION(index, name)                                                                                      \
  __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                                     \
          "movq addresses+8*" #index "(%rip), %r11\n testq %r11, %r11\n je 1f\n jmp *%r11\n"                       \
          "1: movl $" #index ", %r11d\n jmp find_first\n.size " #name ", .-" #name "\n");
__asm__(
    ".text\n.type find_first, @function\nfind_first:\n"
    "pushq %rax\n pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n subq $128, %rsp\n"
    "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"
    "movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
    "movl %r11d, %edi\n call find\n movq %rax, %r11\n"
    "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n"
    "movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"
    "addq $128, %rsp\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %rax\n"
    "jmp *%r11\n.size find_first, .-find_first\n");
#elif defined(__aarch64__)
#define FUNCTION(index, name)                                                                                      \
  __asm__(".text\n.balign 4\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                          \
          "adrp x16, addresses+8*" #index "\n add x16, x16, :lo12:addresses+8*" #index "\n ldar x16, [x16]\n"      \
          "cbz x16, 1f\n"                                                                                         \
          "br x16\n 1: mov w17, #" #index "\n b find_first\n.size " #name ", .-" #name "\n");
__asm__(
    ".text\n.balign 4\n.type find_first, @function\nfind_first:\n"
    "stp x29, x30, [sp, #-224]!\n mov x29, sp\n"
    "stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n stp x6, x7, [sp, #64]\n"
    "str x8, [sp, #80]\n stp q0, q1, [sp, #96]\n stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n"
    "stp q6, q7, [sp, #192]\n mov w0, w17\n bl find\n mov x16, x0\n"
    "ldp q6, q7, [sp, #192]\n ldp q4, q5, [sp, #160]\n ldp q2, q3, [sp, #128]\n ldp q0, q1, [sp, #96]\n"
    "ldr x8, [sp, #80]\n ldp x6, x7, [sp, #64]\n ldp x4, x5, [sp, #48]\n ldp x2, x3, [sp, #32]\n"
    "ldp x0, x1, [sp, #16]\n ldp x29, x30, [sp], #224\n br x16\n.size find_first, .-find_first\n");
#else
#error "unknown processor"
#endif
#include FUNCTIONS
