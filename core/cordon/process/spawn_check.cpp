#include <cordon/process/spawn_check.hpp>

#include <fmt/format.h>

#include <limits>

namespace cordon {
namespace {

[[noreturn]] void refuse(std::string message) {
    throw Error{std::move(message), std::string{kInvalidSpawn}};
}

void check_no_nul(std::string_view text, std::string_view what) {
    const std::size_t offset = text.find('\0');
    if (offset != std::string_view::npos) {
        refuse(fmt::format(
            "invalid {}: expected text without NUL bytes, found one at byte {}", what, offset
        ));
    }
}

void check_arguments(const std::vector<std::string>& argv) {
    if (argv.empty() || argv.front().empty()) {
        refuse("invalid argv: expected a non-empty program name at argv[0]");
    }
    for (std::size_t i = 0; i < argv.size(); ++i) {
        check_no_nul(argv[i], fmt::format("argv[{}]", i));
    }
}

void check_variables(const EnvironmentChanges& changes) {
    for (const auto& [name, value] : changes) {
        check_no_nul(name, "name in env");
        if (name.empty() || name.find('=') != std::string::npos) {
            refuse(
                fmt::format("invalid env: expected a variable name without '=', found \"{}\"", name)
            );
        }
        if (value) {
            check_no_nul(*value, fmt::format("env value of {}", name));
        }
    }
}

void check_descriptors(const std::map<int, int>& descriptors) {
    for (const auto& [child, host] : descriptors) {
        if (child <= 2 || host < 0) {
            refuse(fmt::format(
                "invalid descriptors: expected an open descriptor mapped to 3 or above, found {} "
                "mapped to {}",
                host,
                child
            ));
        }
    }
}

}  // namespace

void check_spawn(const SpawnSpec& spec) {
    using Milliseconds = std::chrono::milliseconds;
    constexpr Milliseconds kLongest{std::numeric_limits<std::int32_t>::max()};
    if (spec.grace && (*spec.grace <= Milliseconds::zero() || *spec.grace > kLongest)) {
        refuse("subprocess graceMs must be a positive finite number no greater than 2147483647");
    }
    check_arguments(spec.argv);
    check_no_nul(spec.cwd, "cwd");
    if (spec.cwd.empty()) {
        refuse("invalid cwd: expected the path of an existing directory, found an empty text");
    }
    check_variables(spec.env);
    check_descriptors(spec.descriptors);
}

}  // namespace cordon
