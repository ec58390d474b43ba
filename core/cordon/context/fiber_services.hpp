#pragma once

#include "registry.hpp"

#include <string_view>
#include <vector>

namespace cordon {

/// The implementations that one load of a fiber works with: those it was started with and those it
/// provides itself. Its code reads them until its own unload has ended (spec SVC-16, SVC-17).
class FiberServices {
public:
    /// What the load was started with under `name`, in the fiber's own scope. Null where that is
    /// not required.
    [[nodiscard]] ImplementationPtr find_injected(std::string_view name) const;
    /// The latest that the fiber has provided there; null for nothing.
    [[nodiscard]] ImplementationPtr find_provided(const SlotKey& slot) const;

    [[nodiscard]] bool has_injected(const Implementation& implementation) const;

    /// In the order in which they are required.
    [[nodiscard]] const std::vector<ImplementationPtr>& injected() const noexcept {
        return injected_;
    }

    /// What it provides and has not withdrawn, in the order in which it was provided. A copy: what
    /// is told of it may make the fiber provide or withdraw.
    [[nodiscard]] std::vector<ImplementationPtr> offered() const;

    /// Begins a load with these.
    void inject(std::vector<ImplementationPtr> implementations);
    void add_provided(const ImplementationPtr& implementation);
    /// Ends self-access to it.
    void remove_provided(const Implementation& implementation);

    /// Ends a load, and self-access with it. Returns what it had provided, the last references of
    /// the container to that.
    [[nodiscard]] std::vector<ImplementationPtr> release();

    /// For the end of the container.
    void clear();

private:
    std::vector<ImplementationPtr> injected_;
    std::vector<ImplementationPtr> provided_;
};

}  // namespace cordon
