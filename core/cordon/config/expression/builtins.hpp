#pragma once

#include <cordon/config/expression/js_value.hpp>
#include <cordon/config/expression/url.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cordon::expression {

/// A global name of JavaScript; nothing where it is not defined.
[[nodiscard]] std::optional<JsValue> global(std::string_view name);

/// Every name that `global` knows, for hints.
[[nodiscard]] std::span<const std::string> global_names();

/// The methods of texts, lists, numbers and URLs.
[[nodiscard]] std::span<const NativeFunction> text_methods();
[[nodiscard]] std::span<const NativeFunction> array_methods();
[[nodiscard]] std::span<const NativeFunction> number_methods();
[[nodiscard]] std::span<const NativeFunction> url_methods();
[[nodiscard]] std::span<const NativeFunction> regex_methods();

[[nodiscard]] const NativeFunction* find_function(
    std::span<const NativeFunction> functions, std::string_view name
);

extern const Namespace kContext;
extern const Namespace kProcess;
extern const Namespace kEnvironment;
extern const Namespace kPathModule;
extern const Namespace kUrlModule;
extern const Namespace kOsModule;
extern const NativeFunction kHomePath;

/// A URL argument: a URL object, or a text that is one.
///
/// Errors: `Thrown`, a TypeError.
[[nodiscard]] Url url_argument(const Invocation& call, std::size_t index);

/// `Math.trunc` of an argument, held between two bounds; `fallback` where it is undefined.
[[nodiscard]] double integer_argument(const Invocation& call, std::size_t index, double fallback);

}  // namespace cordon::expression
