#pragma once

#include <cordon/config/expression/js_value.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace cordon::expression {

/// Text that cannot be evaluated, or a bound that was exceeded. `catch` does not see it: code that
/// expects a failure of JavaScript must not go on with a fallback where it is ours.
struct Refusal {
    std::size_t offset;
    std::string problem;
    std::string hint;
};

/// An exception of JavaScript, which `catch` sees.
struct Thrown {
    std::size_t offset;
    JsValue value;
    std::string hint;
    /// Whether people may read its text: not where values of the environment may be part of it.
    bool is_public = true;
};

[[noreturn]] inline void refuse(std::size_t offset, std::string problem, std::string hint = {}) {
    throw Refusal{offset, std::move(problem), std::move(hint)};
}

/// `name` is the class of the error: `TypeError`.
[[noreturn]] inline void throw_error(
    std::size_t offset, std::string name, std::string message, std::string hint = {}
) {
    auto error =
        std::make_shared<const ErrorObject>(ErrorObject{std::move(name), std::move(message)});
    throw Thrown{offset, JsValue{std::move(error)}, std::move(hint)};
}

}  // namespace cordon::expression
