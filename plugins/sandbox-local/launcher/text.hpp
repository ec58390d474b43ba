#pragma once

// Texts without a C library, in memory that the caller has.

#include <cstddef>

namespace cordon::launch {

[[nodiscard]] constexpr std::size_t length(const char* text) noexcept {
    std::size_t size = 0;
    while (text[size] != '\0') {
        ++size;
    }
    return size;
}

[[nodiscard]] constexpr bool equal(const char* left, const char* right) noexcept {
    while (*left != '\0' && *left == *right) {
        ++left;
        ++right;
    }
    return *left == *right;
}

/// Whether `text` begins with `start`.
[[nodiscard]] constexpr bool begins(const char* text, const char* start) noexcept {
    while (*start != '\0' && *text == *start) {
        ++text;
        ++start;
    }
    return *start == '\0';
}

/// Where the value of `NAME=value` begins, where `entry` is one of `name`; else null.
[[nodiscard]] constexpr const char* value_of(const char* entry, const char* name) noexcept {
    const std::size_t size = length(name);
    return begins(entry, name) && entry[size] == '=' ? entry + size + 1 : nullptr;
}

/// A text in the making; what does not fit is cut off, and `complete()` tells.
template <std::size_t Capacity>
class Text {
public:
    Text& operator<<(const char* text) noexcept {
        for (; *text != '\0'; ++text) {
            put(*text);
        }
        return *this;
    }

    Text& operator<<(long number) noexcept {
        char digits[24];
        std::size_t count = 0;
        const bool is_negative = number < 0;
        auto rest = is_negative ? 0UL - static_cast<unsigned long>(number)
                                : static_cast<unsigned long>(number);
        do {
            digits[count++] = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (is_negative) {
            put('-');
        }
        while (count > 0) {
            put(digits[--count]);
        }
        return *this;
    }

    Text& operator<<(int number) noexcept { return *this << static_cast<long>(number); }

    Text& operator<<(unsigned number) noexcept { return *this << static_cast<long>(number); }

    [[nodiscard]] const char* c_str() const noexcept { return text_; }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] bool complete() const noexcept { return complete_; }

private:
    void put(char character) noexcept {
        if (size_ + 1 >= Capacity) {
            complete_ = false;
            return;
        }
        text_[size_++] = character;
        text_[size_] = '\0';
    }

    char text_[Capacity] = {};
    std::size_t size_ = 0;
    bool complete_ = true;
};

}  // namespace cordon::launch
