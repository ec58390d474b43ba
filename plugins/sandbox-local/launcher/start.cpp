// What a C library would bring: the entry point, and the functions that compilers call by
// themselves.

#include "system.hpp"

#include <cstddef>

extern "C" {

int program(int count, char** words, char** environment);

[[gnu::used]] void begin(long* stack) {
    const auto count = static_cast<int>(*stack);
    auto** const words = reinterpret_cast<char**>(stack + 1);
    cordon::launch::sys::exit(program(count, words, words + count + 1));
}

void* memset(void* target, int value, std::size_t size) {
    auto* bytes = static_cast<unsigned char*>(target);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<unsigned char>(value);
    }
    return target;
}

void* memmove(void* target, const void* source, std::size_t size) {
    auto* to = static_cast<unsigned char*>(target);
    const auto* from = static_cast<const unsigned char*>(source);
    if (to < from) {
        for (std::size_t i = 0; i < size; ++i) {
            to[i] = from[i];
        }
    } else {
        while (size-- > 0) {
            to[size] = from[size];
        }
    }
    return target;
}

void* memcpy(void* target, const void* source, std::size_t size) {
    return memmove(target, source, size);
}

int memcmp(const void* left, const void* right, std::size_t size) {
    const auto* a = static_cast<const unsigned char*>(left);
    const auto* b = static_cast<const unsigned char*>(right);
    for (std::size_t i = 0; i < size; ++i) {
        if (a[i] != b[i]) {
            return a[i] - b[i];
        }
    }
    return 0;
}
}

#if defined(__x86_64__)
__asm__(
    ".globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall begin\n"
);
#else
__asm__(".globl _start\n_start:\n\tmov x29, #0\n\tmov x0, sp\n\tbl begin\n");
#endif
