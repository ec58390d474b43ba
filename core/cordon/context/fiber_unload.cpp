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

/// Takes services back before their dependents go, so that all of these go at the same time.
std::vector<std::shared_ptr<Effect::State>> services_of(FiberImpl& fiber) {
    std::vector<std::shared_ptr<Effect::State>> services;
    for (auto effect = fiber.effects().rbegin(); effect != fiber.effects().rend(); ++effect) {
        if ((*effect)->plan.is_service) {
            services.push_back(*effect);
        }
    }
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
            failures.push_back(fmt::format(
                "the undo of '{}' failed: {}", last->plan.label, message_of(last->failure)
            ));
        }
    }
    if (!failures.empty()) {
        self->log(LogLevel::error, join(failures, "; "));
    }
}

}  // namespace cordon
