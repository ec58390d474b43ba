#include "config_chain.hpp"
#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_executor.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <exception>
#include <set>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

/// Refuses where `self` cannot be restarted, disposed or updated without waiting for the caller.
void refuse_deadlock(
    const FiberImpl& self, const asio::any_io_executor& executor, const std::string& what
) {
    const auto caller = fiber_of(executor);
    if (caller && self.state() != FiberState::disposed && caller->holds_up(self)) {
        throw_deadlock(
            fmt::format("the {} of '{}'", what, self.name()),
            "Use request_dispose(), or do it from outside the plugin's body and undos"
        );
    }
}

Task<> wait_settled(std::shared_ptr<FiberImpl> self) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    // A load does not wait for dependents and children, an unload does.
    if (fiber_of(executor) == self || self->state() == FiberState::unloading) {
        refuse_deadlock(*self, executor, "settling");
    }
    co_await FiberImpl::quiet(self);
    if (const std::exception_ptr error = self->error()) {
        std::rethrow_exception(error);
    }
}

Task<> dispose_fiber(std::shared_ptr<FiberImpl> self) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    refuse_deadlock(*self, executor, "disposal");
    self->request_dispose();
    co_await FiberImpl::disposed(self);
}

Task<> restart_fiber(std::shared_ptr<FiberImpl> self) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    refuse_deadlock(*self, executor, "restart");
    self->request_restart();
    co_await wait_settled(self);
}

Task<bool> put_in_force(std::shared_ptr<FiberImpl> self, Value config) {
    self->replace_config(std::move(config));
    co_await wait_settled(self);
    co_return true;
}

Task<bool> update_fiber(std::shared_ptr<FiberImpl> self, Value config, bool no_save) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    refuse_deadlock(*self, executor, "update");
    if (self->state() != FiberState::active || !self->uid()) {
        const bool is_accepted = co_await put_in_force(self, std::move(config));
        co_return is_accepted;
    }
    // Only as a check: the load resolves it again, with the services it is started with.
    [[maybe_unused]] const Value checked = self->resolve_config(config);
    Task<bool> chain = run_update_chain(*self, config, no_save, [self, config] {
        return put_in_force(self, config);
    });
    const bool is_accepted = co_await std::move(chain);
    co_return is_accepted;
}

}  // namespace

Task<> FiberImpl::settled() {
    return wait_settled(shared());
}

Task<> FiberImpl::dispose() {
    return dispose_fiber(shared());
}

Task<> FiberImpl::restart() {
    return restart_fiber(shared());
}

Task<bool> FiberImpl::update(Value config, bool no_save) {
    return update_fiber(shared(), std::move(config), no_save);
}

void FiberImpl::request_update(Value config, bool no_save) {
    require_alive();
    auto on_end = [self = shared()](const std::exception_ptr& thrown, bool /*is_accepted*/) {
        // The failure of a load has been logged by the load.
        if (thrown && !self->error()) {
            self->log(LogLevel::error, fmt::format("the update failed: {}", message_of(thrown)));
        }
    };
    asio::co_spawn(
        core_->strand, update_fiber(shared(), std::move(config), no_save), std::move(on_end)
    );
}

Task<> FiberImpl::quiet(std::shared_ptr<FiberImpl> self) {
    while (self->in_flight_) {
        const Completion idle = self->idle_;
        co_await idle.wait();
    }
}

Task<> FiberImpl::disposed(std::shared_ptr<FiberImpl> self) {
    co_await self->disposed_.wait();
}

bool FiberImpl::holds_up(const FiberImpl& subject) const {
    std::set<const FiberImpl*> seen;
    std::vector<const FiberImpl*> next{this};
    while (!next.empty()) {
        const FiberImpl* fiber = next.back();
        next.pop_back();
        if (fiber == &subject) {
            return true;
        }
        if (fiber == nullptr || !seen.insert(fiber).second) {
            continue;
        }
        next.push_back(fiber->parent());
        for (const ImplementationPtr& implementation : fiber->services_.injected()) {
            next.push_back(implementation->provider().get());
        }
    }
    return false;
}

}  // namespace cordon
