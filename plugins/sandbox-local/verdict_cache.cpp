#include "verdict_cache.hpp"

#include <utility>

namespace cordon::sandbox_local {

VerdictCache::VerdictCache(
    const boost::asio::any_io_executor& strand, std::shared_ptr<Backend> backend
)
    : backend_(std::move(backend)), flight_(strand, [this] { return backend_->probe(); }) {}

Task<Verdict> VerdictCache::verdict() {
    if (kept_) {
        co_return *kept_;
    }
    co_return co_await probe();
}

Task<Verdict> VerdictCache::probe() {
    Verdict verdict = co_await flight_.join();
    if (verdict.usable || verdict.lasting) {
        kept_ = verdict;
    } else {
        kept_.reset();
    }
    co_return verdict;
}

Task<> VerdictCache::stop() {
    co_await flight_.stop();
}

}  // namespace cordon::sandbox_local
