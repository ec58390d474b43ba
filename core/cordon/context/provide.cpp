#include "provide.hpp"

#include "container_core.hpp"
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
    std::vector<std::shared_ptr<FiberImpl>> users = core.fibers.all();
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
    fiber->services().remove_provided(*implementation);
    if (fiber->state() == FiberState::unloading) {
        fiber->services().retire(implementation);
        co_return;
    }
    for (const auto& user : users) {
        co_await FiberImpl::quiet(user);
    }
    fiber->report_holders(*implementation);
}

void refuse_occupied(const Registry& registry, const SlotKey& slot) {
    const ImplementationPtr taken = registry.find(slot);
    if (!taken) {
        return;
    }
    const auto owner = taken->provider();
    throw Error{
        fmt::format(
            "service \"{}\" has been registered at <{}>", slot.name, owner ? owner->name() : "?"
        ),
        "SERVICE_EXISTS"};
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
    FiberImpl& fiber, const SlotKey& slot, std::shared_ptr<Service> service
) {
    ContainerCore& core = fiber.core();
    refuse_occupied(core.registry, slot);
    const auto implementation = std::make_shared<Implementation>(
        Implementation::Origin{core.next_number(), slot, fiber.shared()},
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

}  // namespace cordon
