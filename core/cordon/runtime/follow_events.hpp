#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/event.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

// What is said about a running deployment that follows its files.

/// A changed file could not be taken over; the last good rows run on (spec HMR-6). Observers that
/// fail are logged.
struct ConfigUpdateFailedEvent {
    static constexpr std::string_view name = "hmr/config-update-failed";
    static constexpr Dispatch mode = Dispatch::parallel;
    using Signature = Task<>(const std::filesystem::path& file, const Error& error);
};

/// These rows run with new code (spec HMR-21).
struct PluginsReloadedEvent {
    static constexpr std::string_view name = "hmr/reload";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::vector<std::string>& rows);
};

}  // namespace cordon
