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
    /// The strand, with the properties that were asked for.
    boost::asio::any_io_executor strand;
    std::weak_ptr<FiberImpl> fiber;
    /// Expired for a body.
    std::weak_ptr<Effect::State> effect;
};

/// The strand, with the knowledge for whom it works. Bodies and undos run on it, so whatever they
/// await can tell from `this_coro::executor` that it runs inside them (spec DIF-6). A coroutine
/// that is spawned on another executor, the plain strand included, has left the fiber.
///
/// One pointer, which is what fits into an `any_io_executor`: Asio copies these for every step of a
/// coroutine.
class FiberExecutor {
public:
    explicit FiberExecutor(Work work) : work_(std::make_shared<const Work>(std::move(work))) {}

    [[nodiscard]] const Work& work() const noexcept { return *work_; }

    template <typename Function>
    void execute(Function&& function) const {
        work_->strand.execute(std::forward<Function>(function));
    }

    template <typename Property>

    requires boost::asio::can_query<const boost::asio::any_io_executor&, Property>::
        value decltype(auto)
        query(const Property& property) const {
        return boost::asio::query(work_->strand, property);
    }

    template <typename Property>
    requires boost::asio::can_require<const boost::asio::any_io_executor&, Property>::value
        FiberExecutor
        require(const Property& property)
    const { return with(boost::asio::require(work_->strand, property)); }

    template <typename Property>
    requires boost::asio::can_prefer<const boost::asio::any_io_executor&, Property>::value
        FiberExecutor
        prefer(const Property& property)
    const { return with(boost::asio::prefer(work_->strand, property)); }

    friend bool operator==(const FiberExecutor& left, const FiberExecutor& right) noexcept {
        return left.work_ == right.work_ || (left.work_->strand == right.work_->strand &&
                                             is_same(left.work_->fiber, right.work_->fiber) &&
                                             is_same(left.work_->effect, right.work_->effect));
    }

    friend bool operator!=(const FiberExecutor& left, const FiberExecutor& right) noexcept {
        return !(left == right);
    }

private:
    template <typename T>
    static bool is_same(const std::weak_ptr<T>& left, const std::weak_ptr<T>& right) noexcept {
        return !left.owner_before(right) && !right.owner_before(left);
    }

    [[nodiscard]] FiberExecutor with(boost::asio::any_io_executor strand) const {
        return FiberExecutor{Work{std::move(strand), work_->fiber, work_->effect}};
    }

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
