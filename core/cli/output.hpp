#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <utility>

namespace cordon::cli {

/// Formats to `stream`. Unlike fmt::print it does not throw where nothing can be written: what is
/// said on standard error has no other place to go, and main() looks at the state of standard
/// output at the end.
template <typename... Arguments>
void print_to(
    std::FILE* stream, fmt::format_string<Arguments...> format, Arguments&&... arguments
) {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

}  // namespace cordon::cli
