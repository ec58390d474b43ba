#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace cordon {

/// What a context carries besides its scope: a tag type with a `name`, unique in the application,
/// and the `Type` of the value (spec CTX-4).
template <typename P>
concept PropertyDefinition = std::copyable<typename P::Type> && requires {
    { P::name } -> std::convertible_to<std::string_view>;
};

/// What relative specifiers are resolved against, as a URL (spec CTX-21).
struct BaseUrl {
    static constexpr std::string_view name = "baseUrl";
    using Type = std::string;
};

}  // namespace cordon
