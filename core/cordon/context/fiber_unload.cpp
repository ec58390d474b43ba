#include "container_core.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

using Effects = std::vector<std::shared_ptr<Effect::State>>;

void collect_services(const Effects& effects, Effects& services) {
    for (auto effect = effects.rbegin(); effect != effects.rend(); ++effect) {
        if ((*effect)->is_service) {
            services.push_back(*effect);
        }
        collect_services((*effect)->children(), services);
    }
}

/// Takes services back before their dependents go, so that all of these go at the same time.
Effects services_of(FiberImpl& fiber) {
    Effects services;
    collect_services(Effects{fiber.effects().begin(), fiber.effects().end()}, services);
    return services;
}

}  // namespace

Task<> FiberImpl::unload(std::shared_ptr<FiberImpl> self) {
    const std::vector<std::shared_ptr<Effect::State>> services = services_of(*self);
    for (const auto& service : services) {
        service->start();
    }
    for (const auto& service : services) {
        co_await Effect::State::join(service);
    }

    std::vector<std::string> failures;
    while (!self->effects_.empty()) {
        const std::shared_ptr<Effect::State> last = self->effects_.back();
        co_await Effect::State::join(last);
        if (last->failure) {
            if (auto& all = self->core_->undo_failures) {
                all->push_back(last->failure);
            }
            failures.push_back(
                fmt::format("the undo of '{}' failed: {}", last->label, message_of(last->failure))
            );
        }
    }
    if (!failures.empty()) {
        self->log(LogLevel::error, join(failures, "; "));
    }
}

}  // namespace cordon
