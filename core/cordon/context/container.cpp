#include "container_core.hpp"
#include "fiber_executor.hpp"
#include "fiber_impl.hpp"

#include <cordon/async/shield.hpp>
#include <cordon/base/aggregate_error.hpp>
#include <cordon/context/container.hpp>

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace cordon {

namespace asio = boost::asio;

namespace {

Task<> dispose_root(
    std::shared_ptr<FiberImpl> root, std::shared_ptr<FiberImpl> caller, bool is_checked
) {
    if (caller && root->state() != FiberState::disposed && caller->holds_up(*root)) {
        throw_deadlock("the shutdown of the container", "Ask for it from outside the plugins");
    }
    if (is_checked && !root->core().undo_failures) {
        root->core().undo_failures.emplace();
    }
    root->request_dispose();
    co_await FiberImpl::disposed(root);
}

Task<> shut_down(std::shared_ptr<FiberImpl> root, bool is_checked) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    Task<> disposal = dispose_root(root, fiber_of(executor), is_checked);
    co_await shield(root->core().strand, std::move(disposal));
}

Task<> shut_down_checked(std::shared_ptr<ContainerCore> core) {
    Task<> shutdown = shut_down(core->root, true);
    co_await std::move(shutdown);
    const std::vector<std::exception_ptr>& failures = *core->undo_failures;
    if (failures.size() == 1) {
        std::rethrow_exception(failures.front());
    }
    if (!failures.empty()) {
        throw AggregateError{"the shutdown of the container", failures};
    }
}

}  // namespace

Container::Container(const asio::any_io_executor& executor)
    : core_(std::make_shared<ContainerCore>(executor)) {
    core_->root = std::make_shared<FiberImpl>(core_, nullptr, FiberImpl::Application{});
}

Container::~Container() {
    core_->clear();
}

asio::any_io_executor Container::strand() const {
    return core_->strand;
}

Context Container::root() const {
    return core_->root->context();
}

void Container::set_log(LogSink sink, LogLevel threshold) {
    core_->log.set_host_sink(std::move(sink), threshold);
}

void Container::report_stalls(std::chrono::milliseconds limit, std::shared_ptr<TimeSource> time) {
    // Beyond that, deadlines would leave the range of the clock.
    constexpr std::chrono::milliseconds kLongest = std::chrono::hours{24 * 365 * 10};
    core_->patience.reset();
    if (limit.count() > 0) {
        core_->patience = {
            std::min(limit, kLongest), time ? std::move(time) : steady_time(core_->strand)};
    }
}

Task<> Container::shutdown() {
    return shut_down(core_->root, false);
}

Task<> Container::shutdown_checked() {
    return shut_down_checked(core_);
}

Task<> Container::reset() {
    return core_->root->restart();
}

}  // namespace cordon
