#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/internal_events.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>
#include <vector>

namespace cordon {

namespace asio = boost::asio;

// Inside a transition nothing compares: whatever changes meanwhile is seen at its end. State events
// and announcements are part of the transition, so an observer that disposes or restarts the fiber
// cannot start a second one beneath the first.

void FiberImpl::reevaluate() {
    if (in_flight_) {
        return;
    }
    switch (state_) {
        case FiberState::pending:
        case FiberState::failed:
            if (!uid_) {
                begin_unload();
            } else if (is_load_due()) {
                begin_load();
            }
            break;
        case FiberState::active:
            if (wanted() != basis_) {
                begin_unload();
            }
            break;
        default:
            break;
    }
}

void FiberImpl::begin_dispose() {
    if (!uid_) {
        return;
    }
    const auto self = shared();
    uid_.reset();
    core_->notify<PluginEvent>(FiberPtr{self});
    core_->fibers.remove(*this);
    if (cancel_body_) {
        // Asio passes the signal on by way of the body's executor and keeps only a pointer to it,
        // so it must arrive at once, and the load that it belongs to may have ended by then.
        asio::dispatch(core_->strand, [cancel = cancel_body_] {
            cancel->emit(asio::cancellation_type::terminal);
        });
    }
    reevaluate();
}

void FiberImpl::set_state(FiberState next) {
    const FiberState old = std::exchange(state_, next);
    watch();
    core_->notify<StatusEvent>(FiberPtr{shared()}, old);
    if (old == FiberState::active || next == FiberState::active) {
        for (const ImplementationPtr& implementation : services_.offered()) {
            core_->announce(implementation->slot());
        }
    }
}

void FiberImpl::forget_failure() {
    if (in_flight_ || state_ != FiberState::failed) {
        return;
    }
    error_ = nullptr;
    if (!is_load_due()) {
        begin_transition();
        set_state(FiberState::pending);
        end_transition();
    }
}

void FiberImpl::begin_transition() {
    if (!in_flight_) {
        in_flight_ = true;
        idle_ = Completion{core_->strand};
    }
}

void FiberImpl::end_transition() {
    in_flight_ = false;
    // Those who wait look again, and go on waiting where this begins the next transition.
    idle_.complete();
    reevaluate();
}

void FiberImpl::begin_load() {
    begin_transition();
    basis_ = *wanted();
    error_ = nullptr;
    effect_error_ = nullptr;
    services_.inject(*available());
    set_state(FiberState::loading);
    asio::post(core_->strand, [self = shared()] { self->start_body(); });
}

void FiberImpl::start_body() {
    if (wanted() != basis_) {
        begin_unload();
        return;
    }
    cancel_body_ = std::make_shared<asio::cancellation_signal>();
    auto on_end = [self = shared()](const std::exception_ptr& thrown) {
        self->on_loaded(thrown);
    };
    asio::co_spawn(
        executor(),
        run_body(shared()),
        asio::bind_cancellation_slot(cancel_body_->slot(), std::move(on_end))
    );
}

Task<> FiberImpl::run_body(std::shared_ptr<FiberImpl> self) {
    const PluginPtr plugin = self->plugin_;
    if (!plugin) {
        co_return;  // the root, which has been reset
    }
    std::exception_ptr thrown;
    try {
        Value config = self->resolve_config(self->config_);
        Task<> body = plugin->apply(self->context(), std::move(config));
        co_await std::move(body);
    } catch (...) {
        thrown = std::current_exception();
    }
    // co_spawn awaits once more behind a coroutine that never waited. Where the body has disposed
    // of its own fiber, that would throw into the loop.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

void FiberImpl::on_loaded(const std::exception_ptr& thrown) {
    cancel_body_.reset();
    const std::exception_ptr effect_error = std::exchange(effect_error_, nullptr);
    const bool is_cancelled = !uid_ && thrown && is_cancellation(thrown);
    if (thrown && !is_cancelled) {
        error_ = as_error(thrown);
        log(LogLevel::error, message_of(error_));
    }
    if (!error_) {
        error_ = effect_error;
    }
    if (!error_ && wanted() == basis_) {
        set_state(FiberState::active);
        end_transition();
    } else {
        begin_unload();
    }
}

void FiberImpl::begin_unload() {
    begin_transition();
    set_state(FiberState::unloading);
    asio::post(core_->strand, [self = shared()] {
        asio::co_spawn(self->core_->strand, unload(self), [self](const std::exception_ptr&) {
            self->on_unloaded();
        });
    });
}

void FiberImpl::on_unloaded() {
    for (const ImplementationPtr& gone : services_.release()) {
        report_holders(*gone);
    }
    if (!uid_) {
        set_state(FiberState::disposed);
        disposed_.complete();
    } else if (is_load_due()) {
        begin_load();
        return;
    } else {
        set_state(error_ ? FiberState::failed : FiberState::pending);
    }
    end_transition();
}

}  // namespace cordon
