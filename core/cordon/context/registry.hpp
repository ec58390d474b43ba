#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/context/service.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

class Context;
class ContextNode;
class FiberImpl;

/// Names one slot: a service name and the isolation label in force (spec DIF-9). The label of the
/// outermost scope is empty.
struct SlotKey {
    std::string name;
    std::string label;

    friend auto operator<=>(const SlotKey&, const SlotKey&) = default;
};

/// One `provide`: what fills a slot, who filled it and who relies on it. The id is never reused, so
/// that a replacement is never mistaken for what it replaced (spec DIF-1).
class Implementation {
public:
    struct Origin {
        std::uint64_t id = 0;
        SlotKey slot;
        /// Where it was provided, which is what its slot follows from.
        std::shared_ptr<const ContextNode> node;
        std::weak_ptr<FiberImpl> provider;
        /// See `ProvideOptions`.
        std::function<bool(const Context& dependent)> available;
    };

    Implementation(
        Origin origin, std::shared_ptr<Service> service, const boost::asio::any_io_executor& strand
    );

    [[nodiscard]] std::uint64_t id() const noexcept { return origin_.id; }

    [[nodiscard]] const SlotKey& slot() const noexcept { return origin_.slot; }

    [[nodiscard]] std::shared_ptr<FiberImpl> provider() const { return origin_.provider.lock(); }

    [[nodiscard]] const std::shared_ptr<const ContextNode>& node() const noexcept {
        return origin_.node;
    }

    [[nodiscard]] const std::shared_ptr<Service>& service() const noexcept { return service_; }

    /// For `Context::set()`.
    void replace_service(std::shared_ptr<Service> service) { service_ = std::move(service); }

    /// Whether its provider is active, which is when others may see it (spec SVC-11).
    [[nodiscard]] bool is_visible() const;

    [[nodiscard]] bool has_condition() const noexcept { return origin_.available != nullptr; }

    /// Whether `dependent` may have it. A condition that throws is logged and means no (spec
    /// SVC-40).
    [[nodiscard]] bool is_available_to(const Context& dependent) const;

    /// Loads of other fibers that were started with it and have not been unloaded.
    void add_user() noexcept { ++users_; }

    void remove_user();

    /// From now on `released()` completes as soon as there are no users.
    void withdraw();

    [[nodiscard]] bool is_withdrawn() const noexcept { return withdrawn_; }

    [[nodiscard]] Task<> released() const { return released_.wait(); }

    /// A handle that counts against `owner` until it is let go of (spec DIF-17).
    [[nodiscard]] ServiceHandle<Service> pin(const FiberImpl& owner);

    /// `name` or `name (3 handles)` for every fiber that still holds a handle.
    [[nodiscard]] std::vector<std::string> holders() const;

private:
    friend class Registry;

    struct Pin;

    void sweep_pins();

    Origin origin_;
    std::shared_ptr<Service> service_;
    Completion released_;
    std::size_t users_ = 0;
    bool withdrawn_ = false;
    /// By the numbers of their owners. Those that have been let go of are swept out as it grows.
    std::map<std::uint64_t, std::weak_ptr<Pin>> pins_;
    std::size_t sweep_pins_at_ = 16;
};

using ImplementationPtr = std::shared_ptr<Implementation>;

/// Which implementation fills which slot.
class Registry {
public:
    /// Null where the slot is empty.
    [[nodiscard]] ImplementationPtr find(const SlotKey& slot) const;
    /// As `find`, but null too while the provider is not active.
    [[nodiscard]] ImplementationPtr find_visible(const SlotKey& slot) const;

    /// Precondition: the slot is empty.
    void fill(ImplementationPtr implementation);
    /// Does nothing where the slot holds something else by now.
    void empty(const Implementation& implementation);
    /// Precondition: the target is empty, or is left by another one of `moves`.
    void move(const std::vector<std::pair<std::shared_ptr<Implementation>, SlotKey>>& moves);

    [[nodiscard]] std::vector<std::shared_ptr<Implementation>> all() const;

    /// Every name that was ever provided (spec SVC-10), sorted.
    [[nodiscard]] std::vector<std::string> known_names() const;

    void clear() { slots_.clear(); }

private:
    std::map<SlotKey, ImplementationPtr> slots_;
    std::set<std::string> names_;
};

}  // namespace cordon
