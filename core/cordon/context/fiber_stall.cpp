#include "container_core.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/text.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cordon {
namespace {

std::string path_of(const FiberImpl& fiber) {
    std::string path = fiber.name();
    for (const FiberImpl* outer = fiber.parent(); outer != nullptr; outer = outer->parent()) {
        path = outer->name() + " > " + path;
    }
    return path;
}

/// The innermost part that runs, of the effect itself or of one that it has taken in.
std::string running_part(const Effect::State& effect) {
    for (const auto& inner : effect.children()) {
        if (inner->phase == Effect::State::Phase::running) {
            return running_part(*inner);
        }
    }
    return fmt::format("the {} of '{}'", effect.is_setting_up() ? "set-up" : "undo", effect.label);
}

}  // namespace

void FiberImpl::watch() {
    stall_alarm_.reset();
    const bool is_transition = state_ == FiberState::loading || state_ == FiberState::unloading;
    if (!core_->patience || !is_transition) {
        return;
    }
    const auto& [limit, time] = *core_->patience;
    stall_alarm_ = time->set(time->now() + limit, [self = weak_from_this(), limit = limit] {
        const auto fiber = std::static_pointer_cast<FiberImpl>(self.lock());
        if (fiber && fiber->core_->patience) {
            fiber->log(
                LogLevel::warn,
                fmt::format(
                    "{} has been {} for {}: {}",
                    path_of(*fiber),
                    to_string(fiber->state()),
                    limit,
                    fiber->describe_stall()
                )
            );
        }
    });
}

std::string FiberImpl::describe_stall() const {
    std::string text = "its body has not ended";
    if (state_ == FiberState::unloading) {
        const auto running =
            std::find_if(effects_.rbegin(), effects_.rend(), [](const auto& effect) {
                return effect->phase == Effect::State::Phase::running;
            });
        text = running == effects_.rend() ? "its undos have not begun"
                                          : running_part(**running) + " has not ended";
    }
    std::vector<std::string> waiting;
    std::set<const FiberImpl*> seen;
    const auto add = [&](const FiberImpl* fiber) {
        const bool waits = fiber != nullptr && fiber->state() == FiberState::unloading;
        if (waits && seen.insert(fiber).second) {
            waiting.push_back(fiber->name());
        }
    };
    add(parent());
    for (const ImplementationPtr& implementation : services_.injected()) {
        add(implementation->provider().get());
    }
    return waiting.empty() ? text : fmt::format("{}; waiting for it: {}", text, join(waiting));
}

}  // namespace cordon
