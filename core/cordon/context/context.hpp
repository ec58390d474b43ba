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
#include <cordon/context/listener.hpp>
#include <cordon/context/log.hpp>
#include <cordon/context/logger.hpp>
#include <cordon/context/plugin.hpp>
#include <cordon/context/service.hpp>

#include <boost/asio/any_io_executor.hpp>

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
    std::vector<std::string> inject;
    /// Turns the raw config into the one that is checked and passed to the body, at every load,
    /// when the required services are available (spec FIB-9, EXP-3). Null: the raw config is used.
    std::function<Value(const Context& context, const Value& raw)> resolve_config;
    /// Name shown in messages instead of the descriptor's.
    std::string name;
};

/// A view of the container: an owning fiber and the isolation labels in force. A cheap value;
/// deriving one costs the size of the override (spec CTX-23).
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
    Effect provide(std::shared_ptr<S> service) const {
        return provide(S::service_name, std::move(service));
    }

    Effect provide(std::string_view name, std::shared_ptr<Service> service) const;

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
    /// Errors: the texts of spec SVC-18, code `SERVICE_UNAVAILABLE`.
    template <ServiceDefinition S>
    [[nodiscard]] ServiceHandle<S> use() const {
        return typed<S>(require(S::service_name));
    }

    /// Untyped forms, for tools that know services by name only.
    [[nodiscard]] ServiceHandle<Service> find(std::string_view name) const;
    [[nodiscard]] ServiceHandle<Service> require(std::string_view name) const;

    /// Registers something that must be undone. Null `undo` is allowed.
    ///
    /// Errors: `INACTIVE_EFFECT` (spec EFF-20, DIF-13).
    Effect effect(std::string label, Undo undo) const;

    /// Applies a plugin as a child of this context's fiber. Its body runs at the next turn of the
    /// strand at the earliest (spec FIB-7). Its disposal is an effect of this fiber.
    ///
    /// Errors: `INACTIVE_EFFECT` (spec FIB-3).
    FiberPtr plugin(PluginPtr plugin, Value config = {}, PluginOptions options = {}) const;

    /// An anonymous child that runs while all `services` are available (spec INJ-12).
    FiberPtr inject(std::vector<std::string> services, std::function<Task<>(Context)> body) const;

    /// A child context whose slot of `name` is private, or shared with every context isolated under
    /// the same label (spec CTX-8..CTX-12).
    [[nodiscard]] Context isolate(std::string_view name) const;
    [[nodiscard]] Context isolate(std::string_view name, std::string_view label) const;

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

    Effect add_listener(
        EventKey event, const ListenerPtr& listener, ListenerOptions options, bool is_once
    ) const;

    [[nodiscard]] Dispatcher to_all() const { return targeting(EventTarget{}); }

    std::shared_ptr<Node> node_;
};

}  // namespace cordon
