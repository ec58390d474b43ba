#pragma once

#include <cordon/base/export.hpp>
#include <cordon/context/effect.hpp>

#include <functional>
#include <memory>
#include <utility>

namespace cordon {

/// Decides when a call happens, or whether.
class CORDON_API RateLimit {
public:
    RateLimit() = default;
    virtual ~RateLimit();

    RateLimit(const RateLimit&) = delete;
    RateLimit& operator=(const RateLimit&) = delete;

    virtual void call(std::function<void()> job) = 0;
};

/// A function behind a rate limit: what `Timer::throttle()` and `Timer::debounce()` return. Copies
/// share the limit.
///
/// Threads: strand only.
template <typename... A>
class Limited {
public:
    Limited(std::function<void(A...)> function, std::shared_ptr<RateLimit> limit, Effect effect)
        : function_(std::make_shared<const std::function<void(A...)>>(std::move(function))),
          limit_(std::move(limit)),
          effect_(std::move(effect)) {}

    /// What a delayed call throws is logged under the name of the owner; one that happens at once
    /// throws to its caller.
    void operator()(A... arguments) const {
        limit_->call([function = function_, arguments...] { (*function)(arguments...); });
    }

    /// Forgets the delayed call; whether there was somebody to forget it (spec TMR-10).
    bool dispose() const { return effect_.request_dispose(); }

    [[nodiscard]] const Effect& effect() const noexcept { return effect_; }

private:
    std::shared_ptr<const std::function<void(A...)>> function_;
    std::shared_ptr<RateLimit> limit_;
    Effect effect_;
};

}  // namespace cordon
