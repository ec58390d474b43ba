#include "container_core.hpp"
#include "fiber_executor.hpp"
#include "fiber_impl.hpp"

#include <cordon/async/shield.hpp>
#include <cordon/base/aggregate_error.hpp>
#include <cordon/context/container.hpp>

#include <boost/asio/this_coro.hpp>

#include <exception>
#include <optional>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

Task<> dispose_root(std::shared_ptr<FiberImpl> root, std::shared_ptr<FiberImpl> caller) {
    if (caller && root->state() != FiberState::disposed && caller->holds_up(*root)) {
        throw_deadlock("the shutdown of the container", "Ask for it from outside the plugins");
    }
    root->request_dispose();
    co_await FiberImpl::disposed(root);
}

Task<> shut_down(std::shared_ptr<FiberImpl> root) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    Task<> disposal = dispose_root(root, fiber_of(executor));
    co_await shield(root->core().strand, std::move(disposal));
}

Task<> shut_down_checked(std::shared_ptr<ContainerCore> core) {
    core->undo_failures.emplace();
    Task<> shutdown = shut_down(core->root);
    co_await std::move(shutdown);
    const auto failures = std::exchange(core->undo_failures, std::nullopt);
    if (!failures || failures->empty()) {
        co_return;
    }
    if (failures->size() == 1) {
        std::rethrow_exception(failures->front());
    }
    throw AggregateError{"the shutdown of the container", *failures};
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
    core_->patience.reset();
    if (limit.count() > 0) {
        core_->patience = {limit, time ? std::move(time) : steady_time(core_->strand)};
    }
}

Task<> Container::shutdown() {
    return shut_down(core_->root);
}

Task<> Container::shutdown_checked() {
    return shut_down_checked(core_);
}

Task<> Container::reset() {
    return core_->root->restart();
}

}  // namespace cordon
