#pragma once

#include "backend.hpp"

#include <cordon/async/single_flight.hpp>
#include <cordon/async/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <optional>

namespace cordon::sandbox_local {

/// Whether one backend works here. A good verdict is kept for the life of the provider, a bad one
/// only if it is lasting; one probe at a time serves everybody who asks meanwhile, and a caller
/// that is cancelled leaves no verdict (weakness W-20, field-32).
///
/// Lifetime: `stop()` must have completed before destruction.
/// Threads: every call must come from `strand`.
class VerdictCache {
public:
    VerdictCache(const boost::asio::any_io_executor& strand, std::shared_ptr<Backend> backend);

    [[nodiscard]] Backend& backend() const noexcept { return *backend_; }

    /// Null where there is none.
    [[nodiscard]] const Verdict* kept() const noexcept { return kept_ ? &*kept_ : nullptr; }

    /// The kept verdict, or that of a probe.
    [[nodiscard]] Task<Verdict> verdict();

    /// That of a probe now, whatever is kept.
    [[nodiscard]] Task<Verdict> probe();

    /// Ends a probe under way.
    [[nodiscard]] Task<> stop();

private:
    std::shared_ptr<Backend> backend_;
    std::optional<Verdict> kept_;
    SingleFlight<Verdict> flight_;
};

}  // namespace cordon::sandbox_local
