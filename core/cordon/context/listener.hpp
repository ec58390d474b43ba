#pragma once

#include <cordon/base/export.hpp>
#include <cordon/context/effect.hpp>
#include <cordon/context/event.hpp>
#include <cordon/context/event_key.hpp>
#include <cordon/context/event_target.hpp>

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cordon {

class ContextNode;

/// One registered listener. Dispatch skips it from the moment its effect is undone, also in a
/// dispatch already under way (spec DIF-8).
class CORDON_API Listener {
public:
    Listener() = default;
    virtual ~Listener();

    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    [[nodiscard]] bool is_alive() const noexcept { return is_alive_; }

    [[nodiscard]] const ListenerOptions& options() const noexcept { return options_; }

    /// Where it was registered.
    [[nodiscard]] const std::shared_ptr<ContextNode>& node() const noexcept { return node_; }

    /// Whether a dispatch aimed at `target` calls it now; one of `once()` is removed by that.
    [[nodiscard]] bool take(const EventTarget& target) {
        if (!is_alive_ || (target.has_filter() && !options_.global && !is_within(target))) {
            return false;
        }
        if (is_once_) {
            retire();
        }
        return true;
    }

private:
    friend class ListenerTable;
    friend struct ListenerRegistrar;

    [[nodiscard]] bool is_within(const EventTarget& target) const;
    void retire();

    bool is_alive_ = true;
    bool is_once_ = false;
    int rank_ = 0;
    ListenerOptions options_;
    std::shared_ptr<ContextNode> node_;
    std::weak_ptr<Effect::State> effect_;
};

using ListenerPtr = std::shared_ptr<Listener>;

/// The listeners of one event at the start of a dispatch; null for none.
using ListenerSnapshot = std::shared_ptr<const std::vector<ListenerPtr>>;

namespace detail {

template <typename Signature>
class ListenerOf;

/// A listener as dispatch calls it. Two tags of one event share this type.
template <typename R, typename... A>
class ListenerOf<R(A...)> : public Listener {
public:
    virtual R call(A... arguments) = 0;
};

template <typename Function, typename Signature>
class ListenerWith;

template <typename Function, typename R, typename... A>
class ListenerWith<Function, R(A...)> final : public ListenerOf<R(A...)> {
public:
    explicit ListenerWith(Function function) : function_(std::move(function)) {}

    R call(A... arguments) override { return function_(std::forward<A>(arguments)...); }

private:
    Function function_;
};

/// `R(A...)` with the subject before the arguments and `next` behind them, where there are such.
template <typename E, typename Signature = typename E::Signature>
struct EventTraits;

template <typename E>
concept HasSubject = requires {
    typename E::Subject;
};

template <typename E, typename R, typename... A>
struct EventTraits<E, R(A...)> {
    using Result = R;
    /// What a dispatcher passes on to each listener.
    using Signature = R(A...);
    using Called = std::conditional_t<E::mode == Dispatch::waterfall, R(A..., Next<R>), R(A...)>;
};

template <HasSubject E, typename R, typename... A>
struct EventTraits<E, R(A...)> {
    using Subject = const std::shared_ptr<typename E::Subject>&;
    using Result = R;
    using Signature = R(Subject, A...);
    using Called = std::
        conditional_t<E::mode == Dispatch::waterfall, R(Subject, A..., Next<R>), R(Subject, A...)>;
};

template <typename R>
inline constexpr bool is_task_of_bail_result = false;
template <typename R>
inline constexpr bool is_task_of_bail_result<Task<R>> = BailResult<R>;

template <EventDefinition E>
consteval void check_event() {
    using Result = typename EventTraits<E>::Result;
    static_assert(
        E::mode != Dispatch::emit || std::is_void_v<Result>,
        "an emitted event has no result: its Signature returns void (spec DIF-7)"
    );
    static_assert(
        E::mode != Dispatch::parallel || std::is_same_v<Result, Task<>>,
        "the Signature of a parallel event returns Task<>"
    );
    static_assert(
        E::mode != Dispatch::serial || is_task_of_bail_result<Result>,
        "the Signature of a serial event returns a Task of a BailResult"
    );
    static_assert(
        E::mode != Dispatch::bail || BailResult<Result>,
        "the Signature of a bail event returns a BailResult (spec EVT-20)"
    );
}

template <typename Function, typename Called>
struct ListenerCheck;

/// A function that returns something else than is asked for would have it dropped: a coroutine
/// among the listeners of an emitted event would never run.
template <typename Function, typename R, typename... A>
struct ListenerCheck<Function, R(A...)> {
    static constexpr bool is_callable = std::is_invocable_v<Function&, A...>;

    static consteval bool fits() {
        if constexpr (!is_callable) {
            return false;
        } else if constexpr (std::is_void_v<R>) {
            return std::is_void_v<std::invoke_result_t<Function&, A...>>;
        } else {
            return std::is_convertible_v<std::invoke_result_t<Function&, A...>, R>;
        }
    }
};

template <typename E>
using ListenerFor = ListenerOf<typename EventTraits<E>::Called>;

/// The number of `E`, looked up once in each library that uses it.
template <EventDefinition E>
EventKey key_of() {
    check_event<E>();
    static const EventKey key =
        event_key(E::name, E::mode, typeid(typename EventTraits<E>::Signature));
    return key;
}

}  // namespace detail

/// Whether `Function` can listen to `E`: it takes the arguments of `E::Signature` and returns what
/// that returns.
template <typename Function, typename E>
concept ListensTo = EventDefinition<E> &&
    detail::ListenerCheck<Function, typename detail::EventTraits<E>::Called>::fits();

}  // namespace cordon
