#pragma once

#include <cordon/async/task.hpp>
#include <cordon/config/decode.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/make_plugin.hpp>
#include <cordon/context/plugin.hpp>
#include <cordon/context/service.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>

namespace cordon {

/// A class that implements a service definition and is made from the context and config of its
/// plugin.
template <typename S, typename Config>
concept ServiceClass = ServiceDefinition<S> && std::constructible_from<S, Context, Config>;

/// One that has to be started: what it throws makes the plugin fail, as a body would (spec SVC-46).
template <typename S>
concept StartedService = requires(S& service) {
    { service.start() } -> std::same_as<Task<>>;
};

/// One that is not for everybody; see `ProvideOptions::available`.
template <typename S>
concept ConditionalService = requires(const S& service, const Context& dependent) {
    { service.available_to(dependent) } -> std::convertible_to<bool>;
};

namespace detail {

template <typename S, typename Config>
Task<> run_service(Context context, Config config) {
    const auto service = std::make_shared<S>(context, std::move(config));
    ProvideOptions options;
    if constexpr (ConditionalService<S>) {
        options.available = [service](const Context& dependent) {
            return service->available_to(dependent);
        };
    }
    context.provide<S>(service, std::move(options));
    if constexpr (StartedService<S>) {
        Task<> starting = service->start();
        co_await std::move(starting);
    }
    co_return;
}

}  // namespace detail

/// A plugin that is one object: it is made at each load, put into the slot of its definition, and
/// started; others see it when `start()` has returned (spec SVC-45). It may use itself before that.
/// What it has to take back, it registers through its context; `facts.provides` need not name it.
///
///     class Clock final : public TimeTeller {
///     public:
///         Clock(Context context, ClockConfig config);
///         Task<> start();                                        // if it has to be started
///         bool available_to(const Context& dependent) const;     // if it is not for everybody
///     };
///
///     PluginPtr clock() {
///         return make_service_plugin<Clock, ClockConfig>({.name = "clock"});
///     }
template <typename S, DescribedStruct Config = NoConfig>
requires ServiceClass<S, Config>

[[nodiscard]] PluginPtr make_service_plugin(PluginFacts facts) {
    facts.provides.emplace_back(S::service_name);
    return make_plugin(std::move(facts), &detail::run_service<S, Config>);
}

}  // namespace cordon
