#pragma once

#include "registry.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// The implementations that one load of a fiber works with: those it was started with and those it
/// provides itself. Its code reads them until its own unload has ended (spec SVC-16, SVC-17).
class FiberServices {
public:
    /// What the load was started with under `name`, in the fiber's own scope. Null where that is
    /// not required.
    [[nodiscard]] ImplementationPtr find_injected(std::string_view name) const;
    /// Null where the fiber provides nothing there.
    [[nodiscard]] ImplementationPtr find_provided(const SlotKey& slot) const;

    [[nodiscard]] bool has_injected(const Implementation& implementation) const;

    [[nodiscard]] const std::map<std::string, ImplementationPtr, std::less<>>& injected(
    ) const noexcept {
        return injected_;
    }

    /// In the order in which they were provided.
    [[nodiscard]] const std::vector<ImplementationPtr>& provided() const noexcept {
        return provided_;
    }

    /// Begins a load with an implementation for each of `names`.
    void inject(
        const std::vector<std::string>& names, const std::vector<ImplementationPtr>& implementations
    );
    void add_provided(const ImplementationPtr& implementation);
    /// Ends self-access.
    void remove_provided(const Implementation& implementation);

    /// Keeps what an unload has withdrawn alive until `release()`: undos that run later may refer
    /// to it.
    void retire(ImplementationPtr implementation) { retired_.push_back(std::move(implementation)); }

    /// Ends a load. Returns what had been withdrawn, the last reference of the container to it.
    [[nodiscard]] std::vector<ImplementationPtr> release();

    /// For the end of the container.
    void clear();

private:
    std::map<std::string, ImplementationPtr, std::less<>> injected_;
    std::vector<ImplementationPtr> provided_;
    std::vector<ImplementationPtr> retired_;
};

}  // namespace cordon
