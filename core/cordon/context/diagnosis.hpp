#pragma once

#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/fiber.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// One service that a pending fiber waits for, and what could bring it.
struct MissingService {
    std::string name;
    /// Fibers that declare it, or have put it into the slot, in the scope of the one that waits.
    /// None of them is active with it, unless it is withheld.
    std::vector<FiberPtr> providers;
    /// It is there, but its condition (`ProvideOptions::available`) says no to the one that waits.
    /// The last of `providers` is who says so.
    bool is_withheld = false;
    /// Fibers that do so in another scope, where the one that waits cannot see it.
    std::vector<FiberPtr> elsewhere;
    /// A service of nearly the same name that exists or is declared.
    std::optional<std::string> near_name;
};

/// Why a fiber is pending (spec DIF-27, PIT-21).
struct WaitingFiber {
    FiberPtr fiber;
    std::vector<MissingService> missing;
    /// Fibers of which each needs what the next one declares to provide, the first one again at the
    /// end; empty where it is part of no such circle.
    std::vector<FiberPtr> cycle;
};

/// Every pending fiber of the container, in the order in which they were applied. `context` may be
/// any of the container's.
[[nodiscard]] CORDON_API std::vector<WaitingFiber> waiting_fibers(const Context& context);

/// `NAME: pending (waiting for service: X)` (spec BOOT-8) and the reason for each service.
[[nodiscard]] CORDON_API std::string to_string(const WaitingFiber& waiting);

}  // namespace cordon
