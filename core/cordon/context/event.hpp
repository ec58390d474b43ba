#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace cordon {

/// How the listeners of an event are called; part of each event's contract (spec EVT-27). In every
/// mode the set of listeners is fixed when the dispatch starts, and a listener that is removed
/// meanwhile is skipped (spec EVT-9, DIF-8).
enum class Dispatch {
    /// One after the other, synchronously, without results. The first error stops the dispatch and
    /// reaches the dispatcher (spec EVT-15).
    emit,
    /// All started in order within one turn, all waited for, even if some fail. The failures come
    /// out together as an `AggregateError` (spec EVT-17).
    parallel,
    /// One after the other, each awaited, up to the first bail value or error (spec EVT-18).
    serial,
    /// As `serial`, synchronously (spec EVT-19).
    bail,
    /// Each around the next: a listener gets the arguments and `next`, which runs the rest of the
    /// chain and, in the end, the dispatcher's own function. A listener that does not call it
    /// stands for the rest (spec EVT-22).
    waterfall,
};

/// The word for it in messages: `emit`, `parallel`, …
[[nodiscard]] CORDON_API std::string_view to_string(Dispatch mode);

/// An event is a tag type: `name`, `Signature`, `mode`. The same name with another signature or
/// mode is another event, and refused (spec EVT-8). What the signature may be depends on the mode:
///
/// - emit: `void(A...)`. Nothing comes back, so that a coroutine cannot get lost (spec DIF-7).
/// - parallel: `Task<>(A...)`.
/// - serial: `Task<R>(A...)`, where R is a `BailResult`.
/// - bail: `R(A...)`, where R is a `BailResult`.
/// - waterfall: `R(A...)` with any R, a `Task` too. Listeners take a `Next<R>` behind the A.
///
///     struct BuildFinished {
///         static constexpr std::string_view name = "build/finished";
///         static constexpr Dispatch mode = Dispatch::emit;
///         using Signature = void(const Build&);
///     };
///
/// Arguments are `T`, `const T&` or `T&`. An asynchronous dispatch keeps copies of the first two
/// until it ends; what a `T&` refers to must live as long. A tag may name a type `Subject` besides:
/// its listeners get a `const std::shared_ptr<Subject>&` first, which is what the dispatch is aimed
/// at (event_target.hpp), or null (spec EVT-13).
template <typename E>
concept EventDefinition = requires {
    typename E::Signature;
    { E::name } -> std::convertible_to<std::string_view>;
    { E::mode } -> std::convertible_to<Dispatch>;
};

namespace detail {

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

}  // namespace detail

/// What can say "nothing": `bool` and pointers, where false and null are nothing, and
/// `std::optional`, where any value bails, 0 and the empty string too (spec EVT-20). An
/// `std::optional<bool>` has two ways to say nothing and is refused.
template <typename R>
concept BailResult = std::same_as<R, bool> ||
    (std::default_initializable<R> && !std::same_as<R, std::optional<bool>> &&
     (std::is_pointer_v<R> || detail::is_optional<R> ||
      (std::is_class_v<R> && std::is_constructible_v<bool, const R&>)));

struct ListenerOptions {
    /// Before the listeners that are there already (spec EVT-2).
    bool prepend = false;
    /// Whatever the dispatch is aimed at (spec EVT-10).
    bool global = false;
};

namespace detail {

/// The rest of a waterfall.
template <typename R>
class Chain {
public:
    Chain() = default;
    virtual ~Chain() = default;

    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

    /// Marks the part from `position` on as used. Errors: code `NEXT_REUSED`.
    virtual void claim(std::size_t position) = 0;
    virtual R proceed(std::size_t position) = 0;
};

template <typename R>
R resume(const std::shared_ptr<Chain<R>>& chain, std::size_t position) {
    return chain->proceed(position);
}

/// Keeps the chain, with the arguments that its listeners refer to, until they have ended.
template <typename T>
Task<T> resume_task(std::shared_ptr<Chain<Task<T>>> chain, std::size_t position) {
    Task<T> rest = chain->proceed(position);
    co_return co_await std::move(rest);
}

template <typename T>
Task<T> resume(const std::shared_ptr<Chain<Task<T>>>& chain, std::size_t position) {
    return resume_task<T>(chain, position);
}

}  // namespace detail

/// What a waterfall listener goes on with. It takes no arguments: all listeners share the same ones
/// (spec EVT-23).
///
/// Take it by value. It may be called once (spec DIF-30), and while the listener has not returned.
template <typename R>
class Next {
public:
    Next(std::shared_ptr<detail::Chain<R>> chain, std::size_t position)
        : chain_(std::move(chain)), position_(position) {}

    /// Runs the rest. A `Task` does so once it is awaited.
    ///
    /// Errors: what the rest threw (spec EVT-25); code `NEXT_REUSED` for a second call.
    R operator()() const {
        chain_->claim(position_);
        return detail::resume(chain_, position_);
    }

private:
    std::shared_ptr<detail::Chain<R>> chain_;
    std::size_t position_;
};

}  // namespace cordon
