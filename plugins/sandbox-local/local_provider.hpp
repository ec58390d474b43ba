#pragma once

#include "backend.hpp"
#include "verdict_cache.hpp"

#include <cordon/sandbox/provider.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
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

    LocalProvider(
        const boost::asio::any_io_executor& strand,
        std::vector<std::shared_ptr<Backend>> chain,
        Warn warn
    );

    [[nodiscard]] Task<ConfinedArgv> confine(std::vector<std::string> argv, SandboxPolicy policy)
        override;

    [[nodiscard]] Task<std::vector<SandboxBackendReport>> inspect() override;

    /// Ends every probe under way.
    [[nodiscard]] Task<> stop();

private:
    [[nodiscard]] Task<Backend*> select(ConfinementRequest request);
    [[nodiscard]] Task<ConfinementRequest> resolve(SandboxPolicy policy);

    // A list, because a verdict cache must not move.
    std::list<VerdictCache> chain_;
    Warn warn_;
    bool has_warned_ = false;
};

}  // namespace cordon::sandbox_local
