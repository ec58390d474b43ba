// clone(2) needs assembly: the child returns on an empty stack, where no compiled code can go on.

#include "system.hpp"

namespace cordon::launch::sys {

long clone_call(
    unsigned long flags, void* stack_end, int (*function)(void*), void* argument
) noexcept {
    if (stack_end == nullptr) {
        // A copy of everything, this frame included.
        const long child = call(__NR_clone, flags, nullptr, nullptr, nullptr, nullptr);
        if (child == 0) {
            exit(function(argument));
        }
        return child;
    }
    // The new stack starts with what the child is to call.
    auto* const top = reinterpret_cast<void**>(
        (reinterpret_cast<std::uintptr_t>(stack_end) & ~std::uintptr_t{15}) - 16
    );
    top[0] = reinterpret_cast<void*>(function);
    top[1] = argument;
    long child = 0;
#if defined(__x86_64__)
    __asm__ volatile(
        "xor %%r10d, %%r10d\n\t"
        "xor %%r8d, %%r8d\n\t"
        "syscall\n\t"
        "test %%rax, %%rax\n\t"
        "jnz 1f\n\t"
        "xor %%ebp, %%ebp\n\t"
        "pop %%rax\n\t"
        "pop %%rdi\n\t"
        "call *%%rax\n\t"
        "mov %%eax, %%edi\n\t"
        "mov %[exit], %%eax\n\t"
        "syscall\n\t"
        "hlt\n"
        "1:"
        : "=a"(child)
        : "a"(__NR_clone), "D"(flags), "S"(top), "d"(0), [exit] "i"(__NR_exit_group)
        : "rcx", "r8", "r10", "r11", "memory"
    );
#else
    register long x8 __asm__("x8") = __NR_clone;
    register long x0 __asm__("x0") = static_cast<long>(flags);
    register long x1 __asm__("x1") = word_of(top);
    register long x2 __asm__("x2") = 0;
    register long x3 __asm__("x3") = 0;
    register long x4 __asm__("x4") = 0;
    __asm__ volatile(
        "svc 0\n\t"
        "cbnz x0, 1f\n\t"
        "mov x29, #0\n\t"
        "ldp x9, x0, [sp], #16\n\t"
        "blr x9\n\t"
        "mov x8, %[exit]\n\t"
        "svc 0\n\t"
        "brk #0\n"
        "1:"
        : "+r"(x0)
        : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), [exit] "i"(__NR_exit_group)
        : "x9", "x29", "x30", "memory"
    );
    child = x0;
#endif
    return child;
}

}  // namespace cordon::launch::sys
