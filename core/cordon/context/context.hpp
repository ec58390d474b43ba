#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/dispatch.hpp>
#include <cordon/context/effect.hpp>
#include <cordon/context/event.hpp>
#include <cordon/context/event_target.hpp>
#include <cordon/context/fiber.hpp>
#include <cordon/context/inject.hpp>
#include <cordon/context/intercept.hpp>
#include <cordon/context/listener.hpp>
#include <cordon/context/log.hpp>
#include <cordon/context/logger.hpp>
#include <cordon/context/plugin.hpp>
#include <cordon/context/property.hpp>
#include <cordon/context/service.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// What an application of a plugin may be given beside its config.
struct PluginOptions {
    /// Services required in addition to the descriptor's (spec INJ-9).
    Inject inject;
    /// Turns the raw config into the one that is checked and passed to the body, at every load,
    /// when the required services are available (spec FIB-9, EXP-3). Null: the raw config is used.
    std::function<Value(const Context& context, const Value& raw)> resolve_config;
    /// Name shown in messages instead of the descriptor's.
    std::string name;
};

/// How a service is offered.
struct ProvideOptions {
    /// Whether `dependent` may have the service. Asked when a dependent is made and whenever the
    /// provider says `notify()`, never in between, on behalf of the dependent, whose intercept
    /// layers it can read; `get()` does not ask. What it throws is logged and counts as no (spec
    /// SVC-7, SVC-38..SVC-41). Null: everybody may.
    std::function<bool(const Context& dependent)> available;
};

/// A view of the container: an owning fiber, the isolation labels and intercept layers in force,
/// and the properties of its surroundings. A cheap value; deriving one costs the size of the
/// override (spec CTX-23), and never makes a fiber: what is registered through the result belongs
/// to the same one (spec CTX-6).
///
/// Lifetime: stays readable after its fiber is disposed; registering through it then fails with
/// code `INACTIVE_EFFECT` (spec CTX-19). Threads: strand only, as is everything reached through it.
class CORDON_API Context {
public:
    using Node = ContextNode;

    explicit Context(std::shared_ptr<Node> node);

    /// The container's strand.
    [[nodiscard]] boost::asio::any_io_executor executor() const;
    [[nodiscard]] Context root() const;
    [[nodiscard]] FiberPtr fiber() const;

    /// Puts `service` into the slot of its definition in this context's scope. Dependents start
    /// once the owning fiber is active (spec SVC-11, SVC-13).
    ///
    /// Errors: `service "NAME" has been registered at <OWNER>` (spec SVC-2); `INACTIVE_EFFECT`.
    template <ServiceDefinition S>
    Effect provide(std::shared_ptr<S> service, ProvideOptions options = {}) const {
        return provide(S::service_name, std::move(service), std::move(options));
    }

    Effect provide(
        std::string_view name, std::shared_ptr<Service> service, ProvideOptions options = {}
    ) const;

    /// Puts another value in the place of the one provided before, or of none. Nobody is told:
    /// whoever looks next sees it (spec SVC-9).
    ///
    /// Errors: code `SERVICE_NOT_PROVIDED` where the slot is not filled, or not by this context's
    /// fiber (spec SVC-8).
    template <ServiceDefinition S>
    void set(std::shared_ptr<S> service) const {
        set(S::service_name, std::move(service));
    }

    void set(std::string_view name, std::shared_ptr<Service> service) const;

    /// Has all who require one of `services` in this context's scope look again, because what
    /// `ProvideOptions::available` depends on has changed. Returns them, in the order in which they
    /// were told; then `ServiceEvent` is published once for each name (spec SVC-43).
    std::vector<FiberPtr> notify(const std::vector<std::string>& services) const;

    /// The service if its provider is active, whoever declared what; for optional use (spec SVC-5).
    /// Nobody tells the caller when it goes: look it up again rather than keep the handle.
    ///
    /// Errors: code `SERVICE_TYPE` where what fills the slot does not implement `S`.
    template <ServiceDefinition S>
    [[nodiscard]] ServiceHandle<S> get() const {
        return typed<S>(find(S::service_name));
    }

    /// The service as a declared dependency: what this fiber or an ancestor injected or provides.
    ///
    /// In the root context, which declares nothing, the same as `get()` (spec SVC-20).
    ///
    /// Errors: the texts of spec SVC-18, code `SERVICE_UNAVAILABLE`.
    template <ServiceDefinition S>
    [[nodiscard]] ServiceHandle<S> use() const {
        return typed<S>(require(S::service_name));
    }

    /// Untyped forms, for tools that know services by name only.
    [[nodiscard]] ServiceHandle<Service> find(std::string_view name) const;
    [[nodiscard]] ServiceHandle<Service> require(std::string_view name) const;

    /// Registers something that must be undone.
    ///
    /// Errors: `INACTIVE_EFFECT` (spec EFF-20, DIF-13).
    Effect effect(std::string label, Undo undo) const;

    /// The same where several steps are taken, which `setup` does at once, with an undo for each.
    /// Where it throws, what it has done is undone, nothing is registered, and the error comes out
    /// (spec EFF-11).
    ///
    ///     context.effect("index", [&](EffectSetup& setup) {
    ///         setup.add([file = open_index()] { file->close(); });
    ///         setup.add(context.on<Saved>(update_index));
    ///     });
    template <ImmediateSetup Setup>
    Effect effect(std::string label, Setup setup) const {
        return set_up(std::move(label), std::move(setup));
    }

    /// The same where steps have to be waited for. `setup` is a coroutine function; its disposal
    /// cancels it and waits for its end. What it throws is logged once, and fails the fiber if that
    /// is still loading; what it has done is undone (spec EFF-12, DIF-19). `Effect::ready()` waits.
    template <AwaitedSetup Setup>
    Effect effect(std::string label, Setup setup) const {
        return begin_set_up(std::move(label), std::move(setup));
    }

    /// Any of these under the label `anonymous`.
    template <typename What>
    Effect effect(What what) const {
        return effect("anonymous", std::move(what));
    }

    /// Runs `work` in the background for this fiber, which cancels it and waits for its end when it
    /// unloads. `label` names it in messages. Work that ends by itself is done with; what it
    /// throws, cancellation apart, is logged under the fiber's name and ends nothing else.
    ///
    /// Lifetime: a coroutine holds its parameters, but not the captures of a lambda that it is.
    /// Errors: `INACTIVE_EFFECT`.
    Effect spawn(std::string label, Task<> work) const;

    /// Applies a plugin as a child of this context's fiber. Its body runs at the next turn of the
    /// strand at the earliest (spec FIB-7). Its disposal is an effect of this fiber.
    ///
    /// Errors: `INACTIVE_EFFECT` (spec FIB-3).
    FiberPtr plugin(PluginPtr plugin, Value config = {}, PluginOptions options = {}) const;

    /// An anonymous child that runs while all `services` are available (spec INJ-12).
    FiberPtr inject(Inject services, std::function<Task<>(Context)> body) const;

    /// A child context whose slot of `name` is private, or shared with every context isolated under
    /// the same label (spec CTX-8..CTX-12).
    [[nodiscard]] Context isolate(std::string_view name) const;
    [[nodiscard]] Context isolate(std::string_view name, std::string_view label) const;

    /// A child context that asks `config` of a service besides what outer contexts ask of it (spec
    /// CTX-15).
    [[nodiscard]] Context intercept(std::string_view service, Object config) const;

    template <ServiceDefinition S>
    [[nodiscard]] Context intercept(Object config) const {
        return intercept(S::service_name, std::move(config));
    }

    /// What this context asks of a service now: services look at the moment of use, so that a
    /// changed layer takes effect with the next call (spec CTX-18). Outermost first.
    [[nodiscard]] InterceptLayers intercept_layers(std::string_view service) const;

    /// The same as one config: `base`, then the layers, then `head`, each overriding what was
    /// before. With `S::merge_layers` where the definition has one (spec CTX-16, CTX-17).
    template <ServiceDefinition S>
    [[nodiscard]] Object config_for(const Object& base = {}, const Object& head = {}) const {
        const InterceptLayers layers = layers_between(S::service_name, base, head);
        if constexpr (MergesLayers<S>) {
            return S::merge_layers(layers);
        } else {
            return merge_layers(layers);
        }
    }

    [[nodiscard]] Object config_for(
        std::string_view service, const Object& base = {}, const Object& head = {}
    ) const {
        return merge_layers(layers_between(service, base, head));
    }

    /// A child context with a property that shadows an outer one of that name, for plugins started
    /// beneath it too (spec CTX-4, CTX-5).
    template <PropertyDefinition P>
    [[nodiscard]] Context extend(typename P::Type value) const {
        return with_property(P::name, std::any{std::move(value)});
    }

    /// Null where nobody up to the root has it. Valid while a context with it exists.
    template <PropertyDefinition P>
    [[nodiscard]] const typename P::Type* property() const {
        return std::any_cast<typename P::Type>(property(P::name));
    }

    /// Adds a listener owned by this context's fiber (spec EVT-1, EVT-5); what `E` asks of it
    /// stands at `EventDefinition`. The same function may listen several times.
    ///
    /// Errors: `INACTIVE_EFFECT`; code `EVENT_MISMATCH` where the name stands for another event.
    template <EventDefinition E, ListensTo<E> Function>
    Effect on(Function listener, ListenerOptions options = {}) const {
        using Holder = detail::ListenerWith<Function, typename detail::EventTraits<E>::Called>;
        const EventKey key = detail::key_of<E>();
        return add_listener(key, std::make_shared<Holder>(std::move(listener)), options, false);
    }

    /// The same for the next dispatch only: it is removed before it is called, so that it neither
    /// hears what it dispatches itself nor comes back when it fails (spec EVT-4).
    template <EventDefinition E, ListensTo<E> Function>
    Effect once(Function listener, ListenerOptions options = {}) const {
        using Holder = detail::ListenerWith<Function, typename detail::EventTraits<E>::Called>;
        const EventKey key = detail::key_of<E>();
        return add_listener(key, std::make_shared<Holder>(std::move(listener)), options, true);
    }

    /// The five modes of dispatch, each for the events of that mode, to all listeners of the
    /// container (spec EVT-12). See `Dispatcher` and `Dispatch`.
    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::emit) void emit(Arguments&&... arguments) const {
        to_all().template emit<E>(std::forward<Arguments>(arguments)...);
    }

    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::parallel)
        [[nodiscard]] Task<> parallel(Arguments&&... arguments) const {
        return to_all().template parallel<E>(std::forward<Arguments>(arguments)...);
    }

    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::serial)
        [[nodiscard]] auto serial(Arguments&&... arguments) const {
        return to_all().template serial<E>(std::forward<Arguments>(arguments)...);
    }

    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::bail) auto bail(Arguments&&... arguments) const {
        return to_all().template bail<E>(std::forward<Arguments>(arguments)...);
    }

    template <EventDefinition E, typename... Arguments>

    requires(E::mode == Dispatch::waterfall) auto waterfall(Arguments&&... arguments) const {
        return to_all().template waterfall<E>(std::forward<Arguments>(arguments)...);
    }

    /// The same, aimed: `context.targeting(session).emit<Said>(text)` reaches the listeners that
    /// the session accepts, and global ones (spec EVT-10).
    [[nodiscard]] Dispatcher targeting(EventTarget target) const;

    template <typename T>
    [[nodiscard]] Dispatcher targeting(std::shared_ptr<T> subject) const {
        return targeting(EventTarget{std::move(subject)});
    }

    /// The same, as a service: reaches those for whom its name means the same slot as here (spec
    /// SVC-47).
    template <ServiceDefinition S>
    [[nodiscard]] Dispatcher as_service() const {
        return targeting(scope_of(S::service_name));
    }

    /// Accepts the contexts for which `service` means the same slot as for this one.
    [[nodiscard]] EventTarget scope_of(std::string_view service) const;

    /// A logger named as the intercept layers for `logger` say by `name`, else after this context's
    /// fiber, `my-plugin` for `MyPlugin` (spec LOG-1, LOG-2). Their `level` (a word, or a number as
    /// in `log_level_of_number`) is the threshold where an exporter has none.
    [[nodiscard]] Logger logger() const;
    /// One of that name, whatever the layers say.
    [[nodiscard]] Logger logger(std::string name) const;
    /// For what a service says on behalf of a caller: named as the caller's layers say, else after
    /// the service's own fiber, whose context this is (spec LOG-3).
    [[nodiscard]] Logger logger_for(const Context& caller) const;

    /// `logger().log()`.
    void log(LogLevel level, std::string_view message) const;

    /// Receives what is logged in the container from now on (spec LOG-9).
    ///
    /// Errors: `INACTIVE_EFFECT`.
    Effect log_exporter(LogExporter exporter) const;
    /// The last 1000 records at the loggers' own thresholds, oldest first (spec LOG-9).
    [[nodiscard]] std::vector<LogRecord> recent_log() const;

    /// `Context <NAME>` (spec CTX-20).
    [[nodiscard]] std::string describe() const;

    [[nodiscard]] const std::shared_ptr<Node>& node() const noexcept { return node_; }

private:
    template <ServiceDefinition S>
    static ServiceHandle<S> typed(const ServiceHandle<Service>& handle) {
        ServiceHandle<S> service = handle.as<S>();
        if (handle && !service) {
            throw_wrong_type(S::service_name);
        }
        return service;
    }

    [[noreturn]] static void throw_wrong_type(std::string_view name);

    Effect set_up(std::string label, const std::function<void(EffectSetup&)>& setup) const;
    Effect begin_set_up(std::string label, std::function<Task<>(EffectSetup&)> setup) const;
    [[nodiscard]] Context with_property(std::string_view name, std::any value) const;
    [[nodiscard]] const std::any* property(std::string_view name) const;
    /// Empty ones left out.
    [[nodiscard]] InterceptLayers layers_between(
        std::string_view service, const Object& base, const Object& head
    ) const;

    Effect add_listener(
        EventKey event, const ListenerPtr& listener, ListenerOptions options, bool is_once
    ) const;

    [[nodiscard]] Dispatcher to_all() const { return targeting(EventTarget{}); }

    std::shared_ptr<Node> node_;
};

}  // namespace cordon
