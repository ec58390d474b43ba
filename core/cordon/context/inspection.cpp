#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"
#include "provider_index.hpp"

#include <cordon/base/error.hpp>
#include <cordon/context/inspection.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace cordon {
namespace {

void add_uid(std::vector<std::uint64_t>& uids, const Fiber& fiber) {
    if (const auto uid = fiber.uid()) {
        uids.push_back(*uid);
    }
}

std::vector<ServiceNeed> needs_of(const ProviderIndex& index, const FiberImpl& fiber) {
    const std::vector<std::string> missing = fiber.missing();
    std::vector<ServiceNeed> needs;
    for (const std::string& service : fiber.required()) {
        ServiceNeed need;
        need.service = service;
        need.is_available = std::find(missing.begin(), missing.end(), service) == missing.end();
        const SlotKey slot = fiber.slot_of(service);
        if (need.is_available) {
            add_uid(need.providers, *fiber.core().registry.find(slot)->provider());
        } else {
            for (const auto& provider : index.providers_of(slot)) {
                add_uid(need.providers, *provider);
            }
        }
        needs.push_back(std::move(need));
    }
    return needs;
}

FiberRow row_of(const ProviderIndex& index, const FiberImpl& fiber) {
    FiberRow row;
    row.uid = *fiber.uid();
    if (const FiberPtr parent = fiber.parent_fiber()) {
        row.parent = parent->uid();
    }
    row.name = fiber.name();
    row.plugin = fiber.plugin() ? fiber.plugin()->name : std::string{};
    row.state = fiber.state();
    if (const std::exception_ptr error = fiber.error()) {
        row.error = message_of(error);
    }
    row.needs = needs_of(index, fiber);
    for (const ImplementationPtr& offered : fiber.services().offered()) {
        row.provides.push_back(offered->slot().name);
    }
    return row;
}

using Users = std::map<const Implementation*, std::vector<std::uint64_t>>;

Users users_in(const ProviderIndex& index) {
    Users users;
    for (const auto& fiber : index.fibers()) {
        for (const ImplementationPtr& implementation : fiber->services().injected()) {
            add_uid(users[implementation.get()], *fiber);
        }
    }
    return users;
}

ServiceRow row_of(Users& users, const Implementation& implementation) {
    ServiceRow row;
    row.name = implementation.slot().name;
    row.scope = implementation.slot().label;
    if (const auto provider = implementation.provider()) {
        row.provider = provider->uid();
    }
    row.is_visible = implementation.is_visible();
    row.users = std::move(users[&implementation]);
    row.holders = implementation.holders();
    return row;
}

}  // namespace

Inspection inspect(const Context& context) {
    const ContainerCore& core = context.node()->fiber->core();
    const ProviderIndex index{core};
    Inspection inspection;
    if (core.root && core.root->uid()) {
        inspection.fibers.push_back(row_of(index, *core.root));
    }
    for (const auto& fiber : index.fibers()) {
        inspection.fibers.push_back(row_of(index, *fiber));
    }
    Users users = users_in(index);
    for (const ImplementationPtr& implementation : core.registry.all()) {
        inspection.services.push_back(row_of(users, *implementation));
    }
    return inspection;
}

}  // namespace cordon
