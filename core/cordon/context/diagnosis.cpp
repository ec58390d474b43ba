#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"
#include "provider_index.hpp"

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

using Fibers = ProviderIndex::Fibers;

std::optional<std::string> near_name(const ProviderIndex& index, const std::string& name) {
    std::vector<std::string> known = index.known_names();
    std::erase(known, name);
    return nearest_name(name, known);
}

MissingService explain(
    const ProviderIndex& index, const FiberImpl& waiting, const std::string& name
) {
    MissingService missing;
    missing.name = name;
    const SlotKey slot = waiting.slot_of(name);
    const Fibers providers = index.providers_of(slot);
    missing.providers.assign(providers.begin(), providers.end());
    missing.is_withheld = waiting.core().registry.find_visible(slot) != nullptr;
    for (const auto& fiber : index.declaring(name)) {
        if (std::find(providers.begin(), providers.end(), fiber) == providers.end()) {
            missing.elsewhere.push_back(fiber);
        }
    }
    if (missing.providers.empty() && missing.elsewhere.empty()) {
        missing.near_name = near_name(index, name);
    }
    return missing;
}

/// Pending or not, who could bring what `fiber` misses.
Fibers awaited_by(const ProviderIndex& index, const FiberImpl& fiber) {
    Fibers awaited;
    for (const std::string& name : fiber.missing()) {
        const Fibers providers = index.providers_of(fiber.slot_of(name));
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
    const ProviderIndex& index, const std::shared_ptr<FiberImpl>& start
) {
    Steps steps;
    std::deque<std::shared_ptr<FiberImpl>> next{start};
    while (!next.empty()) {
        const std::shared_ptr<FiberImpl> fiber = next.front();
        next.pop_front();
        for (const auto& provider : awaited_by(index, *fiber)) {
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
    if (missing.is_withheld) {
        return fmt::format(
            "{} is provided by '{}', which does not let this one have it now",
            missing.name,
            missing.providers.back()->name()
        );
    }
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
    const ProviderIndex index{context.node()->fiber->core()};
    std::vector<WaitingFiber> waiting;
    for (const auto& fiber : index.fibers()) {
        if (fiber->state() != FiberState::pending) {
            continue;
        }
        WaitingFiber entry{fiber, {}, circle_through(index, fiber)};
        for (const std::string& name : fiber->missing()) {
            entry.missing.push_back(explain(index, *fiber, name));
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
