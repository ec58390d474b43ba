#pragma once

#include "backend.hpp"
#include "places.hpp"
#include "session_folders.hpp"
#include "verdict_cache.hpp"

#include <cordon/sandbox/provider.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace cordon::sandbox_local {

/// The chain of backends of this host. The first usable one confines a call. A chain of one is not
/// probed, because there is nothing to decide and a probe costs as much as a call: its own refusal,
/// which runs nothing either, is the end then (spec LP-9).
///
/// Lifetime: `stop()` must have completed before destruction.
class LocalProvider : public SandboxProvider {
public:
    using Warn = std::function<void(std::string_view message)>;

    struct Settings {
        Places places{};
        /// `/tmp` lasts as long as a session, for calls that have one.
        bool keep_temporary = false;
    };

    LocalProvider(
        const boost::asio::any_io_executor& strand,
        std::vector<std::shared_ptr<Backend>> chain,
        Warn warn,
        Settings settings
    );

    LocalProvider(
        const boost::asio::any_io_executor& strand,
        std::vector<std::shared_ptr<Backend>> chain,
        Warn warn
    )
        : LocalProvider(strand, std::move(chain), std::move(warn), Settings{}) {}

    [[nodiscard]] Task<ConfinedArgv> confine(std::vector<std::string> argv, SandboxPolicy policy)
        override;

    [[nodiscard]] Task<std::vector<SandboxBackendReport>> inspect() override;

    /// Ends every probe under way.
    [[nodiscard]] Task<> stop();

private:
    using Clock = std::chrono::steady_clock;

    /// Looking at the file system costs more than everything else about a call, so what was found
    /// is believed for a moment. What changes meanwhile makes the call fail, and not escape: the
    /// launcher opens every writable place without following a link.
    struct RecentPlaces {
        std::shared_ptr<const ResolvedPlaces> places;
        Clock::time_point found;
    };

    using PlacesKey = std::tuple<ConfinedSandboxMode, std::string, std::string>;

    [[nodiscard]] Task<const Backend*> probe_chain(std::shared_ptr<const ResolvedPlaces> places);
    [[nodiscard]] const Backend* known_backend(const ConfinementRequest& request) const;
    [[nodiscard]] Task<std::shared_ptr<const ResolvedPlaces>> resolve(SandboxPolicy policy);
    [[nodiscard]] std::shared_ptr<const ResolvedPlaces> recent(const PlacesKey& key) const;

    // A list, because a verdict cache must not move.
    std::list<VerdictCache> chain_;
    Warn warn_;
    Settings settings_;
    std::shared_ptr<SessionFolders> session_folders_ = std::make_shared<SessionFolders>();
    std::map<PlacesKey, RecentPlaces> recent_;
    bool has_warned_ = false;
};

}  // namespace cordon::sandbox_local
