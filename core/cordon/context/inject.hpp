#pragma once

#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// A service that a fiber requires, and what it asks of it.
struct Injection {
    Injection(std::string service) : name(std::move(service)) {}  // NOLINT

    Injection(std::string_view service) : name(service) {}  // NOLINT

    Injection(const char* service) : name(service) {}  // NOLINT

    Injection(std::string service, Object settings)
        : name(std::move(service)), config(std::move(settings)) {}

    std::string name;
    /// Where it is not empty, the innermost intercept layer for the service in the fiber's context
    /// and everything beneath (spec INJ-8).
    Object config;
};

/// Every service that a fiber requires (spec INJ-1, INJ-2); optional use is `Context::get()`.
///
///     plugin.inject = {"sandbox", {"timer", Object{{"precision", "coarse"}}}};
class CORDON_API Inject {
public:
    Inject() = default;
    Inject(std::initializer_list<Injection> services);
    Inject(const std::vector<std::string>& services);  // NOLINT(google-explicit-constructor)

    /// A name that is there already gets the keys of `service.config` on top of what it has.
    void add(const Injection& service);
    void add(const Inject& services);

    [[nodiscard]] bool contains(std::string_view name) const noexcept;
    [[nodiscard]] std::vector<std::string> names() const;

    [[nodiscard]] bool empty() const noexcept { return services_.empty(); }

    [[nodiscard]] auto begin() const noexcept { return services_.begin(); }

    [[nodiscard]] auto end() const noexcept { return services_.end(); }

private:
    /// Each name once, in the order in which they were added.
    std::vector<Injection> services_;
};

}  // namespace cordon
