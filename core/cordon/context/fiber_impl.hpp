#pragma once

#include "context_node.hpp"
#include "effect_state.hpp"
#include "fiber_services.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/fiber.hpp>
#include <cordon/context/time_source.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

class ContainerCore;

/// The one kind of fiber. It has a desired state, made of its services, its config and the number
/// of restarts asked for, and at most one load or unload in flight; at the end of that, and
/// whenever something changes while nothing is in flight, the two are compared (spec DIF-1,
/// FIB-22).
///
/// Private to the room. fiber_impl.cpp holds what it is, fiber_dependencies.cpp what it requires,
/// fiber_wait.cpp those who wait for it, fiber_pump.cpp the transitions, fiber_unload.cpp the
/// unload, fiber_stall.cpp what is said of one that does not end.
class FiberImpl final : public Fiber {
public:
    /// What it applies; no plugin for the root.
    struct Application {
        PluginPtr plugin;
        Value config;
        PluginOptions options;
    };

    /// `outer` is the context it is applied in, null for the root.
    FiberImpl(
        std::shared_ptr<ContainerCore> core,
        std::shared_ptr<const Context::Node> outer,
        Application application
    );
    ~FiberImpl() override;

    [[nodiscard]] std::optional<std::uint64_t> uid() const noexcept override { return uid_; }

    [[nodiscard]] std::string name() const override;

    [[nodiscard]] FiberState state() const noexcept override { return state_; }

    [[nodiscard]] std::exception_ptr error() const noexcept override;
    [[nodiscard]] std::vector<std::string> missing() const override;
    [[nodiscard]] const std::vector<std::string>& required() const noexcept override;
    void require(const Injection& service) override;

    [[nodiscard]] std::vector<EffectInfo> effect_tree() const override;
    Effect attach(std::string label, Undo undo) override;

    [[nodiscard]] PluginPtr plugin() const noexcept override { return plugin_; }

    [[nodiscard]] Context context() override;
    [[nodiscard]] FiberPtr parent_fiber() const override;
    [[nodiscard]] Task<> settled() override;
    [[nodiscard]] Task<> dispose() override;
    void request_dispose() override;
    [[nodiscard]] Task<> restart() override;
    void request_restart() override;
    [[nodiscard]] Task<bool> update(Value config, bool no_save) override;
    void request_update(Value config, bool no_save) override;

    /// Its uid, also after its disposal has begun.
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

    [[nodiscard]] ContainerCore& core() const noexcept { return *core_; }

    [[nodiscard]] const std::shared_ptr<const Context::Node>& outer() const noexcept {
        return outer_;
    }

    /// Null for the root.
    [[nodiscard]] FiberImpl* parent() const noexcept;

    /// Makes it a child of the fiber of `outer()`, which has been moved (spec LDR-55).
    void join_parent();

    [[nodiscard]] std::shared_ptr<FiberImpl> shared() {
        return std::static_pointer_cast<FiberImpl>(shared_from_this());
    }

    /// Whether it may register: it is loading or active, and not being disposed (spec DIF-13).
    [[nodiscard]] bool is_open() const noexcept;
    /// Errors: `INACTIVE_EFFECT` once its disposal has begun.
    void require_alive() const;
    /// Errors: `INACTIVE_EFFECT` unless it is open.
    void require_open() const;

    [[nodiscard]] std::list<std::shared_ptr<Effect::State>>& effects() noexcept { return effects_; }

    /// Logs what an effect of it has failed with; while it loads, the load fails too (spec DIF-19).
    void fail_effect(const std::string& problem);

    /// Precondition: `require_open()` has passed.
    std::shared_ptr<Effect::State> add_effect(EffectPlan plan);

    [[nodiscard]] FiberServices& services() noexcept { return services_; }

    [[nodiscard]] const FiberServices& services() const noexcept { return services_; }

    [[nodiscard]] SlotKey slot_of(std::string_view service) const;
    [[nodiscard]] bool requires_slot(const SlotKey& slot) const;
    /// What its load was started with, or provides itself; null where that is nothing.
    [[nodiscard]] ImplementationPtr find_service(const SlotKey& slot) const;

    /// Something has changed about these slots: asks again whether it may have what is in them, and
    /// re-evaluates. Whether it requires one of them.
    bool look_again(const std::vector<SlotKey>& slots);
    /// The same for everything it requires.
    void look_again();

    /// Nothing can be added to what it requires from now on.
    void end_creation() noexcept { is_published_ = true; }

    /// Compares what is with what should be, and begins a transition where they differ.
    void reevaluate();
    void begin_dispose();

    [[nodiscard]] bool is_settled() const noexcept { return !in_flight_; }

    /// Waits until nothing is in flight, whatever the outcome.
    [[nodiscard]] static Task<> quiet(std::shared_ptr<FiberImpl> self);
    [[nodiscard]] static Task<> disposed(std::shared_ptr<FiberImpl> self);

    /// Whether the disposal of `subject` would wait for this fiber: it is the fiber itself, an
    /// ancestor, or provides what one of these was started with.
    [[nodiscard]] bool holds_up(const FiberImpl& subject) const;

    /// The strand, for work on behalf of this fiber.
    [[nodiscard]] boost::asio::any_io_executor executor(
        const std::shared_ptr<Effect::State>& effect = nullptr
    );

    /// The effect of the parent that stands for this fiber.
    void set_membership(const std::shared_ptr<Effect::State>& effect) { membership_ = effect; }

    void log(LogLevel level, std::string_view message);
    /// Names who still holds a service that is gone (spec DIF-17).
    void report_holders(const Implementation& implementation);

    /// Puts `config` in force, unchecked, and loads again (spec FIB-34, FIB-38).
    void replace_config(Value config);
    /// The config that the body gets, made from `raw`.
    ///
    /// Errors: what `resolve_config` throws; `ConfigError`.
    [[nodiscard]] Value resolve_config(const Value& raw);

private:
    /// What a load is started from (spec DIF-1).
    struct Basis {
        std::vector<std::uint64_t> services;
        std::uint64_t config = 0;
        std::uint64_t restart = 0;

        friend bool operator==(const Basis&, const Basis&) = default;
    };

    /// Whether it may have what is in a slot, as of the last time that it looked.
    struct Verdict {
        std::string service;
        std::uint64_t implementation = 0;
        bool is_available = false;
    };

    /// Whether `service` is new to it.
    bool add_requirement(const Injection& service);
    [[nodiscard]] Context make_context() const;
    [[nodiscard]] ImplementationPtr find_available(const std::string& service) const;
    [[nodiscard]] std::optional<std::vector<ImplementationPtr>> available() const;
    [[nodiscard]] std::optional<Basis> wanted() const;
    [[nodiscard]] bool is_load_due() const;
    void set_state(FiberState next);
    /// Has a load or unload that lasts too long be told of (spec DIF-25).
    void watch();
    [[nodiscard]] std::string describe_stall() const;
    void forget_failure();
    void begin_transition();
    void end_transition();
    void begin_load();
    void start_body();
    void on_loaded(const std::exception_ptr& thrown);
    void begin_unload();
    void on_unloaded();
    static Task<> run_body(std::shared_ptr<FiberImpl> self);
    static Task<> unload(std::shared_ptr<FiberImpl> self);

    const std::shared_ptr<ContainerCore> core_;
    const std::shared_ptr<const Context::Node> outer_;
    PluginPtr plugin_;
    Value config_;
    /// Null for the usual ones. What they require stands with the rest.
    std::unique_ptr<const PluginOptions> options_;
    std::vector<std::string> required_;
    /// What it asks of these services, as every context of it has it. Null for nothing.
    ContextNode::OverridesPtr overrides_;
    bool is_published_ = false;
    mutable std::vector<Verdict> verdicts_;
    std::uint64_t number_ = 0;
    std::optional<std::uint64_t> uid_;
    FiberState state_ = FiberState::pending;
    std::exception_ptr error_;
    /// Why the load that runs must fail, although its body may succeed.
    std::exception_ptr effect_error_;

    std::uint64_t config_generation_ = 0;
    std::uint64_t restart_generation_ = 0;
    /// Of the load that runs or ran last.
    Basis basis_;
    bool in_flight_ = false;
    /// Of the transition in flight.
    Completion idle_;
    Completion disposed_;
    std::unique_ptr<TimeSource::Alarm> stall_alarm_;
    std::shared_ptr<boost::asio::cancellation_signal> cancel_body_;

    std::list<std::shared_ptr<Effect::State>> effects_;
    FiberServices services_;
    std::weak_ptr<Effect::State> membership_;
};

}  // namespace cordon
