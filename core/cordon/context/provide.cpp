#include "provide.hpp"

#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace cordon {
namespace {

/// Those who are still part of the container; who is being disposed of lets go by itself.
std::vector<std::shared_ptr<FiberImpl>> users_of(
    const ContainerCore& core, const Implementation& implementation
) {
    std::vector<std::shared_ptr<FiberImpl>> users =
        core.fibers.requiring(implementation.slot().name);
    std::erase_if(users, [&](const std::shared_ptr<FiberImpl>& fiber) {
        return !fiber->services().has_injected(implementation);
    });
    return users;
}

void withdraw(FiberImpl& fiber, Implementation& implementation) {
    fiber.core().registry.empty(implementation);
    implementation.withdraw();
    fiber.core().announce(implementation.slot());
}

Task<> wait_released(std::shared_ptr<FiberImpl> fiber, ImplementationPtr implementation) {
    const auto users = users_of(fiber->core(), *implementation);
    co_await implementation->released();
    if (fiber->state() == FiberState::unloading) {
        co_return;  // the undos that are left may use it (spec FIB-54); its end reports the holders
    }
    for (const auto& user : users) {
        co_await FiberImpl::quiet(user);
    }
    fiber->services().remove_provided(*implementation);
    fiber->report_holders(*implementation);
}

EffectPlan plan_of(FiberImpl& fiber, const ImplementationPtr& implementation) {
    // The fiber owns the effect, so it is there whenever these are called.
    return EffectPlan{
        fmt::format("ctx.provide(\"{}\")", implementation->slot().name),
        [&fiber, implementation] { withdraw(fiber, *implementation); },
        [&fiber, implementation] { return wait_released(fiber.shared(), implementation); },
        [&fiber, implementation](const FiberImpl& caller) {
            const auto users = users_of(fiber.core(), *implementation);
            return std::any_of(users.begin(), users.end(), [&](const auto& user) {
                return caller.holds_up(*user);
            });
        },
        /*is_service=*/true};
}

}  // namespace

std::shared_ptr<Effect::State> provide_service(
    const ContextNode& node,
    std::string_view name,
    std::shared_ptr<Service> service,
    ProvideOptions options
) {
    FiberImpl& fiber = *node.fiber;
    ContainerCore& core = fiber.core();
    const SlotKey slot = node.slot_of(name);
    if (const ImplementationPtr taken = core.registry.find(slot)) {
        throw_occupied(*taken);
    }
    const auto implementation = std::make_shared<Implementation>(
        Implementation::Origin{
            core.next_number(),
            slot,
            node.shared_from_this(),
            fiber.shared(),
            std::move(options.available)},
        std::move(service),
        core.strand
    );
    core.registry.fill(implementation);
    fiber.services().add_provided(implementation);
    auto effect = fiber.add_effect(plan_of(fiber, implementation));
    if (fiber.state() == FiberState::active) {
        core.announce(slot);
    }
    return effect;
}

void throw_occupied(const Implementation& taken) {
    const auto owner = taken.provider();
    throw Error{
        fmt::format(
            "service \"{}\" has been registered at <{}>",
            taken.slot().name,
            owner ? owner->name() : "?"
        ),
        "SERVICE_EXISTS"};
}

void set_service(const ContextNode& node, std::string_view name, std::shared_ptr<Service> service) {
    const ImplementationPtr implementation = node.fiber->core().registry.find(node.slot_of(name));
    const char* problem = !implementation                            ? "without provide"
                          : implementation->provider() != node.fiber ? "in multiple fibers"
                                                                     : nullptr;
    if (problem != nullptr) {
        throw Error{
            fmt::format("cannot set property \"{}\" {}", name, problem), "SERVICE_NOT_PROVIDED"};
    }
    implementation->replace_service(std::move(service));
}

std::vector<FiberPtr> notify_dependents(
    const ContextNode& node, const std::vector<std::string>& services
) {
    ContainerCore& core = node.fiber->core();
    std::vector<SlotKey> slots;
    for (const std::string& name : services) {
        SlotKey slot = node.slot_of(name);
        if (std::find(slots.begin(), slots.end(), slot) == slots.end()) {
            slots.push_back(std::move(slot));
        }
    }
    std::vector<FiberPtr> told;
    for (const auto& fiber : core.fibers.requiring(services)) {
        if (fiber->look_again(slots)) {
            told.push_back(fiber);
        }
    }
    for (const SlotKey& slot : slots) {
        core.publish(slot);
    }
    return told;
}

}  // namespace cordon
