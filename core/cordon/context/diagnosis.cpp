#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/context/diagnosis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>

namespace cordon {
namespace {

using Fibers = std::vector<std::shared_ptr<FiberImpl>>;

bool declares(const FiberImpl& fiber, const std::string& service) {
    const std::vector<std::string>& provides = fiber.plugin()->provides;
    return std::find(provides.begin(), provides.end(), service) != provides.end();
}

bool holds(const FiberImpl& fiber, const SlotKey& slot) {
    const ImplementationPtr filled = fiber.core().registry.find(slot);
    return filled && filled->provider().get() == &fiber;
}

/// Those that could fill `slot`; where a declaration is all there is to go by, their own scope
/// counts, although a plugin may provide in another one.
Fibers providers_of(const Fibers& fibers, const SlotKey& slot) {
    Fibers providers;
    for (const auto& fiber : fibers) {
        const bool is_declared = declares(*fiber, slot.name) && fiber->slot_of(slot.name) == slot;
        if (is_declared || holds(*fiber, slot)) {
            providers.push_back(fiber);
        }
    }
    return providers;
}

std::optional<std::string> near_name(
    const Fibers& fibers, const Registry& registry, const std::string& name
) {
    std::vector<std::string> known = registry.known_names();
    for (const auto& fiber : fibers) {
        const std::vector<std::string>& provides = fiber->plugin()->provides;
        known.insert(known.end(), provides.begin(), provides.end());
    }
    std::erase(known, name);
    return nearest_name(name, known);
}

MissingService explain(const Fibers& fibers, const FiberImpl& waiting, const std::string& name) {
    MissingService missing{name, {}, {}, std::nullopt};
    const Fibers providers = providers_of(fibers, waiting.slot_of(name));
    missing.providers.assign(providers.begin(), providers.end());
    for (const auto& fiber : fibers) {
        const bool is_known =
            std::find(providers.begin(), providers.end(), fiber) != providers.end();
        if (!is_known && declares(*fiber, name)) {
            missing.elsewhere.push_back(fiber);
        }
    }
    if (missing.providers.empty() && missing.elsewhere.empty()) {
        missing.near_name = near_name(fibers, waiting.core().registry, name);
    }
    return missing;
}

/// Pending or not, who could bring what `fiber` misses.
Fibers awaited_by(const Fibers& fibers, const FiberImpl& fiber) {
    Fibers awaited;
    for (const std::string& name : fiber.missing()) {
        const Fibers providers = providers_of(fibers, fiber.slot_of(name));
        awaited.insert(awaited.end(), providers.begin(), providers.end());
    }
    return awaited;
}

using Steps = std::map<std::shared_ptr<FiberImpl>, std::shared_ptr<FiberImpl>>;

std::vector<FiberPtr> retrace(
    const Steps& steps, std::shared_ptr<FiberImpl> last, const std::shared_ptr<FiberImpl>& start
) {
    std::vector<FiberPtr> circle{start};
    for (; last != start; last = steps.at(last)) {
        circle.push_back(last);
    }
    circle.push_back(start);
    std::reverse(circle.begin(), circle.end());
    return circle;
}

/// The shortest circle through `start`, breadth first.
std::vector<FiberPtr> circle_through(
    const Fibers& fibers, const std::shared_ptr<FiberImpl>& start
) {
    Steps steps;
    std::deque<std::shared_ptr<FiberImpl>> next{start};
    while (!next.empty()) {
        const std::shared_ptr<FiberImpl> fiber = next.front();
        next.pop_front();
        for (const auto& provider : awaited_by(fibers, *fiber)) {
            if (provider == start) {
                return retrace(steps, fiber, start);
            }
            if (steps.emplace(provider, fiber).second) {
                next.push_back(provider);
            }
        }
    }
    return {};
}

std::string reason(const Fiber& provider) {
    switch (provider.state()) {
        case FiberState::failed:
            return fmt::format(
                "'{}', which failed: {}", provider.name(), message_of(provider.error())
            );
        case FiberState::pending:
            return fmt::format("'{}', which is waiting itself", provider.name());
        case FiberState::active:
            return fmt::format("'{}', which is active but has not done so", provider.name());
        default:
            return fmt::format("'{}', which is {}", provider.name(), to_string(provider.state()));
    }
}

std::string reason(const MissingService& missing) {
    std::vector<std::string> reasons;
    for (const FiberPtr& provider : missing.providers) {
        reasons.push_back(reason(*provider));
    }
    if (!reasons.empty()) {
        return fmt::format("{} is provided by {}", missing.name, join(reasons, " and by "));
    }
    for (const FiberPtr& provider : missing.elsewhere) {
        reasons.push_back(fmt::format("'{}'", provider->name()));
    }
    if (!reasons.empty()) {
        return fmt::format("{} is provided in another scope, by {}", missing.name, join(reasons));
    }
    std::string text = fmt::format("nobody provides {}", missing.name);
    return missing.near_name ? fmt::format("{}, did you mean '{}'?", text, *missing.near_name)
                             : text;
}

}  // namespace

std::vector<WaitingFiber> waiting_fibers(const Context& context) {
    Fibers fibers = context.node()->fiber->core().fibers.all();
    std::sort(fibers.begin(), fibers.end(), [](const auto& left, const auto& right) {
        return left->uid() < right->uid();
    });
    std::vector<WaitingFiber> waiting;
    for (const auto& fiber : fibers) {
        if (fiber->state() != FiberState::pending) {
            continue;
        }
        WaitingFiber entry{fiber, {}, circle_through(fibers, fiber)};
        for (const std::string& name : fiber->missing()) {
            entry.missing.push_back(explain(fibers, *fiber, name));
        }
        waiting.push_back(std::move(entry));
    }
    return waiting;
}

std::string to_string(const WaitingFiber& waiting) {
    std::vector<std::string> names;
    std::vector<std::string> reasons;
    for (const MissingService& missing : waiting.missing) {
        names.push_back(missing.name);
        reasons.push_back(reason(missing));
    }
    if (!waiting.cycle.empty()) {
        std::vector<std::string> circle;
        for (const FiberPtr& fiber : waiting.cycle) {
            circle.push_back(fiber->name());
        }
        reasons.push_back(fmt::format("they wait for each other: {}", join(circle, " -> ")));
    }
    if (names.empty()) {
        return fmt::format("{}: pending (waiting for service: unknown)", waiting.fiber->name());
    }
    return fmt::format(
        "{}: pending (waiting for service{}: {}); {}",
        waiting.fiber->name(),
        names.size() == 1 ? "" : "s",
        join(names),
        join(reasons, "; ")
    );
}

}  // namespace cordon
