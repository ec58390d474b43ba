#pragma once

namespace cordon::launch {

/// How an error number is shown to people.
struct ErrorName {
    const char* code;
    const char* description;
};

/// The errors of the calls that the launcher makes; others are `?`. The C library has the list, but
/// the launcher has no C library.
[[nodiscard]] ErrorName name_of_error(int error) noexcept;

}  // namespace cordon::launch
