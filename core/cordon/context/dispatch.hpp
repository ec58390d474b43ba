#pragma once

#include <cordon/async/start_all.hpp>
#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/event.hpp>
#include <cordon/context/event_target.hpp>
#include <cordon/context/listener.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace cordon {

class ContainerCore;

/// What an event was dispatched with, for observers of all events (spec IEV-9). Refers to the
/// arguments themselves, so it is good for the duration of the call only.
class EventArguments {
public:
    struct Argument {
        const std::type_info* type;
        const void* value;
    };

    explicit EventArguments(std::span<const Argument> arguments) : arguments_(arguments) {}

    [[nodiscard]] std::size_t size() const noexcept { return arguments_.size(); }

    /// Null where that argument is of another type.
    template <typename T>
    [[nodiscard]] const T* get(std::size_t index) const {
        const Argument& argument = arguments_[index];
        return *argument.type == typeid(T) ? static_cast<const T*>(argument.value) : nullptr;
    }

private:
    std::span<const Argument> arguments_;
};

namespace detail {

[[nodiscard]] CORDON_API ListenerSnapshot listeners_of(const ContainerCore& core, EventKey event);

struct Announcement {
    Dispatch mode;
    std::string_view name;
    const EventArguments& arguments;
    const EventTarget& target;
};

/// Whether anybody observes dispatches.
[[nodiscard]] CORDON_API bool is_dispatch_observed(const ContainerCore& core);
CORDON_API void announce_dispatch(ContainerCore& core, const Announcement& announcement);

/// The exception that is being handled, as an `Error` (spec DIF-32). A cancellation stays what it
/// is, so that it is recognised by whoever asked for it.
[[noreturn]] CORDON_API void rethrow_as_error();
[[noreturn]] CORDON_API void throw_next_reused(EventKey event);
/// Nothing where nothing failed. Errors: `AggregateError`.
CORDON_API void throw_failures(EventKey event, std::vector<std::exception_ptr> failures);

/// As a dispatch keeps an argument that its listeners may look at later.
template <typename A>
using Stored = std::conditional_t<
    std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>,
    A,
    std::remove_cvref_t<A>>;

template <typename R>
[[nodiscard]] bool is_bail(const R& result) {
    return static_cast<bool>(result);
}

template <typename E, typename Innermost, typename R, typename... A>
class ChainWith final : public Chain<R>,
                        public std::enable_shared_from_this<ChainWith<E, Innermost, R, A...>> {
public:
    template <typename... Arguments>
    ChainWith(
        ListenerSnapshot listeners,
        EventTarget target,
        Innermost innermost,
        Arguments&&... arguments
    )
        : listeners_(std::move(listeners)),
          target_(std::move(target)),
          innermost_(std::move(innermost)),
          arguments_(std::forward<Arguments>(arguments)...) {}

    void claim(std::size_t position) override {
        if (position < claimed_) {
            throw_next_reused(key_of<E>());
        }
        claimed_ = position + 1;
    }

    R proceed(std::size_t position) override {
        for (; listeners_ && position < listeners_->size(); ++position) {
            Listener& listener = *(*listeners_)[position];
            if (listener.take(target_)) {
                return call(static_cast<ListenerFor<E>&>(listener), position + 1);
            }
        }
        return std::apply(
            [this](Stored<A>&... arguments) -> R {
                if constexpr (std::is_invocable_v<Innermost&, A...>) {
                    return innermost_(static_cast<Stored<A>&>(arguments)...);
                } else {
                    return innermost_();
                }
            },
            arguments_
        );
    }

private:
    R call(ListenerFor<E>& listener, std::size_t next) {
        try {
            return std::apply(
                [&](Stored<A>&... arguments) -> R {
                    return listener.call(arguments..., Next<R>{this->shared_from_this(), next});
                },
                arguments_
            );
        } catch (...) {
            rethrow_as_error();
        }
    }

    ListenerSnapshot listeners_;
    EventTarget target_;
    Innermost innermost_;
    std::tuple<Stored<A>...> arguments_;
    std::size_t claimed_ = 0;
};

/// The five modes, for `E` with the full signature `R(A...)`.
template <typename E, typename Signature = typename EventTraits<E>::Signature>
struct Dispatching;

template <typename E, typename R, typename... A>
struct Dispatching<E, R(A...)> {
    static void emit(ContainerCore& core, const EventTarget& target, A... arguments) {
        announce(core, target, arguments...);
        const ListenerSnapshot listeners = listeners_of(core, key_of<E>());
        if (!listeners) {
            return;
        }
        try {
            for (const ListenerPtr& listener : *listeners) {
                if (listener->take(target)) {
                    static_cast<ListenerFor<E>&>(*listener).call(arguments...);
                }
            }
        } catch (...) {
            rethrow_as_error();
        }
    }

    static R bail(ContainerCore& core, const EventTarget& target, A... arguments) {
        announce(core, target, arguments...);
        const ListenerSnapshot listeners = listeners_of(core, key_of<E>());
        if (!listeners) {
            return R{};
        }
        try {
            for (const ListenerPtr& listener : *listeners) {
                if (!listener->take(target)) {
                    continue;
                }
                R result = static_cast<ListenerFor<E>&>(*listener).call(arguments...);
                if (is_bail(result)) {
                    return result;
                }
            }
        } catch (...) {
            rethrow_as_error();
        }
        return R{};
    }

    static Task<> parallel(
        std::shared_ptr<ContainerCore> core, EventTarget target, Stored<A>... arguments
    ) {
        announce(*core, target, arguments...);
        const ListenerSnapshot listeners = listeners_of(*core, key_of<E>());
        std::vector<Starter> starters;
        for (std::size_t index = 0; listeners && index < listeners->size(); ++index) {
            Listener* listener = (*listeners)[index].get();
            starters.emplace_back([listener, &target, &arguments...]() -> Task<> {
                return listener->take(target)
                           ? static_cast<ListenerFor<E>*>(listener)->call(arguments...)
                           : nothing();
            });
        }
        std::vector<std::exception_ptr> failures = co_await start_all(std::move(starters));
        throw_failures(key_of<E>(), std::move(failures));
    }

    static R serial(
        std::shared_ptr<ContainerCore> core, EventTarget target, Stored<A>... arguments
    ) {
        using Bailed = typename R::value_type;
        announce(*core, target, arguments...);
        const ListenerSnapshot listeners = listeners_of(*core, key_of<E>());
        for (std::size_t index = 0; listeners && index < listeners->size(); ++index) {
            Listener& listener = *(*listeners)[index];
            if (!listener.take(target)) {
                continue;
            }
            try {
                R running = static_cast<ListenerFor<E>&>(listener).call(arguments...);
                Bailed result = co_await std::move(running);
                if (is_bail(result)) {
                    co_return result;
                }
            } catch (...) {
                rethrow_as_error();
            }
        }
        co_return Bailed{};
    }

    template <typename Innermost>
    static R waterfall(
        ContainerCore& core, const EventTarget& target, Innermost innermost, A... arguments
    ) {
        announce(core, target, arguments...);
        const auto chain = std::make_shared<ChainWith<E, Innermost, R, A...>>(
            listeners_of(core, key_of<E>()),
            target,
            std::move(innermost),
            std::forward<A>(arguments)...
        );
        const Next<R> first{chain, 0};
        return first();
    }

private:
    static Task<> nothing() { co_return; }

    static void announce(
        ContainerCore& core, const EventTarget& target, const std::remove_reference_t<A>&... values
    ) {
        if constexpr (!is_internal_event(E::name)) {
            if (is_dispatch_observed(core)) {
                const std::array<EventArguments::Argument, sizeof...(A)> list{
                    EventArguments::Argument{&typeid(A), &values}...};
                const EventArguments arguments{list};
                announce_dispatch(core, Announcement{E::mode, E::name, arguments, target});
            }
        }
    }
};

/// Calls `function` with the arguments, behind the subject where `E` has one.
template <typename E, typename Function, typename... Arguments>
decltype(auto) with_subject(
    const EventTarget& target, Function&& function, Arguments&&... arguments
) {
    if constexpr (HasSubject<E>) {
        return function(
            target.subject<typename E::Subject>(), std::forward<Arguments>(arguments)...
        );
    } else {
        return function(std::forward<Arguments>(arguments)...);
    }
}

/// Splits what was passed to `waterfall()` into arguments and the innermost function behind them.
template <typename E, typename Tuple, std::size_t... I>
typename EventTraits<E>::Result waterfall(
    ContainerCore& core,
    const EventTarget& target,
    Tuple passed,
    std::index_sequence<I...> /*arguments*/
) {
    using Innermost = std::decay_t<std::tuple_element_t<sizeof...(I), Tuple>>;
    const auto run = [&](auto&&... arguments) -> typename EventTraits<E>::Result {
        return Dispatching<E>::template waterfall<Innermost>(
            core,
            target,
            std::get<sizeof...(I)>(std::move(passed)),
            std::forward<decltype(arguments)>(arguments)...
        );
    };
    return with_subject<E>(target, run, std::get<I>(std::move(passed))...);
}

}  // namespace detail

/// Dispatches events, aimed at a target (spec EVT-10..EVT-13); see `Context::targeting()`.
class CORDON_API Dispatcher {
public:
    Dispatcher(std::shared_ptr<ContainerCore> core, EventTarget target);

    /// See `Dispatch` for what the modes do. What listeners throw comes out as an `Error`; an
    /// asynchronous dispatch starts when it is awaited.
    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::emit) void emit(Arguments&&... arguments) const {
        const auto run = [this](auto&&... values) {
            detail::Dispatching<E>::emit(
                *core_, target_, std::forward<decltype(values)>(values)...
            );
        };
        detail::with_subject<E>(target_, run, std::forward<Arguments>(arguments)...);
    }

    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::parallel)
        [[nodiscard]] Task<> parallel(Arguments&&... arguments) const {
        const auto run = [this](auto&&... values) {
            return detail::Dispatching<E>::parallel(
                core_, target_, std::forward<decltype(values)>(values)...
            );
        };
        return detail::with_subject<E>(target_, run, std::forward<Arguments>(arguments)...);
    }

    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::serial)
        [[nodiscard]] auto serial(Arguments&&... arguments) const {
        const auto run = [this](auto&&... values) {
            return detail::Dispatching<E>::serial(
                core_, target_, std::forward<decltype(values)>(values)...
            );
        };
        return detail::with_subject<E>(target_, run, std::forward<Arguments>(arguments)...);
    }

    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::bail) auto bail(Arguments&&... arguments) const {
        const auto run = [this](auto&&... values) {
            return detail::Dispatching<E>::bail(
                *core_, target_, std::forward<decltype(values)>(values)...
            );
        };
        return detail::with_subject<E>(target_, run, std::forward<Arguments>(arguments)...);
    }

    /// The innermost function comes last; it takes the arguments or none (spec EVT-22, EVT-26).
    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::waterfall && sizeof...(Arguments) > 0) auto waterfall(
        Arguments&&... arguments
    ) const {
        return detail::waterfall<E>(
            *core_,
            target_,
            std::forward_as_tuple(std::forward<Arguments>(arguments)...),
            std::make_index_sequence<sizeof...(Arguments) - 1>{}
        );
    }

private:
    std::shared_ptr<ContainerCore> core_;
    EventTarget target_;
};

}  // namespace cordon
