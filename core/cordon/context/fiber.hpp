#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/effect.hpp>
#include <cordon/context/inject.hpp>
#include <cordon/context/plugin.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

class Context;

/// The numbers appear in boot diagnostics (spec FIB-1).
enum class FiberState : std::uint8_t {
    pending = 0,
    loading = 1,
    active = 2,
    failed = 3,
    disposed = 4,
    unloading = 5,
};

[[nodiscard]] CORDON_API std::string_view to_string(FiberState state);

/// One application of a plugin: waits for its services, runs the plugin's body, and takes back
/// everything the body registered. Held by `FiberPtr`; there is one object per fiber (spec DIF-2).
///
/// Lifetime: stays readable after disposal.
/// Threads: strand only.
class CORDON_API Fiber : public std::enable_shared_from_this<Fiber> {
public:
    virtual ~Fiber();

    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Empty from the moment disposal starts (spec FIB-2).
    [[nodiscard]] virtual std::optional<std::uint64_t> uid() const noexcept = 0;
    /// Its own name, else that of the nearest named ancestor, else `root` (spec FIB-8).
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual FiberState state() const noexcept = 0;
    /// Why the last load failed; null unless the state is `failed`.
    [[nodiscard]] virtual std::exception_ptr error() const noexcept = 0;
    /// Required services that are not available in its scope now.
    [[nodiscard]] virtual std::vector<std::string> missing() const = 0;
    /// Every service it requires, declared by the plugin or added when it was applied.
    [[nodiscard]] virtual const std::vector<std::string>& required() const noexcept = 0;
    /// Adds a requirement. For observers of `PluginEvent`, who see the fiber before its services
    /// are looked for (spec INJ-9).
    ///
    /// Errors: code `REQUIREMENTS_FIXED` later (spec INJ-10).
    virtual void require(const Injection& service) = 0;
    /// What it has registered and not taken back, in that order (spec EFF-19).
    [[nodiscard]] virtual std::vector<EffectInfo> effect_tree() const = 0;
    /// Null for the root.
    [[nodiscard]] virtual PluginPtr plugin() const noexcept = 0;
    /// The context in which its body runs.
    [[nodiscard]] virtual Context context() = 0;
    /// The fiber that it is a child of; null for the root.
    [[nodiscard]] virtual std::shared_ptr<Fiber> parent_fiber() const = 0;

    /// Registers something for a fiber that has not been loaded yet, to be undone by its next
    /// unload, or by its disposal, whichever comes first. What plugins do belongs to
    /// `Context::effect()`.
    ///
    /// Errors: `INACTIVE_EFFECT` unless it is pending, loading or active (spec FIB-55, DIF-13).
    virtual Effect attach(std::string label, Undo undo) = 0;

    /// Waits until no load or unload is in flight. A pending fiber counts as settled.
    ///
    /// Errors: the startup error while the fiber is `failed` (spec FIB-26).
    [[nodiscard]] virtual Task<> settled() = 0;

    /// Withdraws its services, waits for its dependents, undoes its effects last in, first out, and
    /// completes when it is `disposed`. Every caller joins the same disposal; failing undos are
    /// logged, never thrown (spec DIF-2..DIF-4).
    ///
    /// Errors: code `DEADLOCK` at once when awaited from inside the fiber's own body or undo
    /// (spec DIF-6); use `request_dispose()` there.
    [[nodiscard]] virtual Task<> dispose() = 0;
    /// The form that does not wait.
    virtual void request_dispose() = 0;

    /// Unloads and loads again with the current config (spec FIB-30, FIB-31).
    [[nodiscard]] virtual Task<> restart() = 0;
    /// The form that does not wait.
    virtual void request_restart() = 0;
    /// Restarts with another config. While the fiber is active that is checked first, and the
    /// listeners of `UpdateEvent` are asked; one that is refused leaves everything as it was (spec
    /// FIB-33..FIB-36, DIF-11). In other states it is put in force as it is (spec FIB-38).
    /// `no_save` is for those listeners: the config is not to be written back anywhere.
    ///
    /// Returns whether the config has been accepted. Errors: what the check, the listeners or the
    /// new load threw; `INACTIVE_EFFECT`; `DEADLOCK` as for `dispose()`.
    [[nodiscard]] virtual Task<bool> update(Value config, bool no_save = false) = 0;
    /// The form that does not wait; a failure is logged.
    virtual void request_update(Value config, bool no_save = false) = 0;

protected:
    Fiber() = default;
};

using FiberPtr = std::shared_ptr<Fiber>;

}  // namespace cordon
