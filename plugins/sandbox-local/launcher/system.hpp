#pragma once

// System calls without a C library: this code runs in programs that have none, and between clone
// and exec in a process that shares its memory with a multi-threaded host. Nothing here allocates,
// locks, or touches state of a thread, `errno` least of all: a call returns its result or a
// negative error number.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <asm/unistd.h>

namespace cordon::launch::sys {

template <typename Argument>
[[nodiscard]] inline long word_of(Argument argument) noexcept {
    if constexpr (std::is_pointer_v<Argument>) {
        return static_cast<long>(reinterpret_cast<std::uintptr_t>(argument));
    } else if constexpr (std::is_null_pointer_v<Argument>) {
        return 0;
    } else {
        return static_cast<long>(argument);
    }
}

[[nodiscard]] inline long raw(
    long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0
) noexcept {
#if defined(__x86_64__)
    long result = 0;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
    #error "system.hpp knows how x86_64 and aarch64 enter the kernel"
#endif
}

template <typename... Arguments>
[[nodiscard]] inline long call(long number, Arguments... arguments) noexcept {
    return raw(number, word_of(arguments)...);
}

/// For calls whose failure changes nothing.
template <typename... Arguments>
inline void try_call(long number, Arguments... arguments) noexcept {
    static_cast<void>(raw(number, word_of(arguments)...));
}

inline void close(int fd) noexcept {
    try_call(__NR_close, fd);
}

[[noreturn]] inline void exit(int status) noexcept {
    for (;;) {
        try_call(__NR_exit_group, status);
    }
}

/// Runs `function(argument)` in a child on a stack of its own; what it returns is the exit status.
/// `flags` as in clone(2), with CLONE_VM: without it the child has a copy and needs no stack, so
/// `stack_end` may be null then. Returns the child's number to the caller.
[[nodiscard]] long clone_call(
    unsigned long flags, void* stack_end, int (*function)(void*), void* argument
) noexcept;

}  // namespace cordon::launch::sys
