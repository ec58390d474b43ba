#pragma once

#include <cordon/context/effect.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#include <memory>
#include <utility>

namespace cordon {

class FiberImpl;

/// For whom a coroutine works: a fiber's body, or an undo of it.
struct Work {
    std::weak_ptr<FiberImpl> fiber;
    /// Expired for a body.
    std::weak_ptr<Effect::State> effect;
};

/// The strand, with the knowledge for whom it works. Bodies and undos run on it, so whatever they
/// await can tell from `this_coro::executor` that it runs inside them (spec DIF-6). A coroutine
/// that is spawned on another executor, the plain strand included, has left the fiber.
class FiberExecutor {
public:
    FiberExecutor(boost::asio::any_io_executor inner, std::shared_ptr<const Work> work)
        : inner_(std::move(inner)), work_(std::move(work)) {}

    [[nodiscard]] const Work& work() const noexcept { return *work_; }

    template <typename Function>
    void execute(Function&& function) const {
        inner_.execute(std::forward<Function>(function));
    }

    template <typename Property>

    requires boost::asio::can_query<const boost::asio::any_io_executor&, Property>::
        value decltype(auto)
        query(const Property& property) const {
        return boost::asio::query(inner_, property);
    }

    template <typename Property>
    requires boost::asio::can_require<const boost::asio::any_io_executor&, Property>::value
        FiberExecutor
        require(const Property& property)
    const { return FiberExecutor{boost::asio::require(inner_, property), work_}; }

    template <typename Property>
    requires boost::asio::can_prefer<const boost::asio::any_io_executor&, Property>::value
        FiberExecutor
        prefer(const Property& property)
    const { return FiberExecutor{boost::asio::prefer(inner_, property), work_}; }

    friend bool operator==(const FiberExecutor& left, const FiberExecutor& right) noexcept {
        return left.inner_ == right.inner_ && left.work_ == right.work_;
    }

    friend bool operator!=(const FiberExecutor& left, const FiberExecutor& right) noexcept {
        return !(left == right);
    }

private:
    boost::asio::any_io_executor inner_;
    std::shared_ptr<const Work> work_;
};

/// The fiber inside which `executor` works; null where it is inside none.
[[nodiscard]] std::shared_ptr<FiberImpl> fiber_of(const boost::asio::any_io_executor& executor);
/// The same for the effect that is being undone.
[[nodiscard]] std::shared_ptr<Effect::State> effect_of(const boost::asio::any_io_executor& executor
);

/// Code `DEADLOCK`: `what` would wait for the caller.
[[noreturn]] void throw_deadlock(const std::string& what, const std::string& instead);

}  // namespace cordon
