#pragma once

#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/fiber.hpp>
#include <cordon/context/plugin.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace cordon {

class ContainerCore;

/// What all fibers of one plugin share (spec REG-3). Name, schema and entry point stand in its
/// descriptor, which is its identity (spec DIF-15).
struct AppliedPlugin {
    PluginPtr plugin;
    /// Those whose disposal has not begun, in the order of their application. Never empty: a plugin
    /// is listed from its first fiber on, until the disposal of the last one begins (spec REG-5).
    std::vector<FiberPtr> fibers;
};

/// The plugins of a container that are in use: what the reference calls its registry (spec REG-7).
///
/// Lifetime: keeps the state of the container alive.
/// Threads: strand only.
class CORDON_API AppliedPlugins {
public:
    /// `context` may be any of the container's.
    explicit AppliedPlugins(const Context& context);

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(const PluginPtr& plugin) const;
    [[nodiscard]] std::optional<AppliedPlugin> find(const PluginPtr& plugin) const;

    /// In the order in which they were first applied.
    [[nodiscard]] std::vector<AppliedPlugin> all() const;

    /// Begins the disposal of all fibers of `plugin`, so that it is not in use any more when this
    /// returns. Does not wait for the end; the fibers that it returns can be awaited. It may be
    /// applied again at once (spec REG-6, REG-11).
    std::optional<AppliedPlugin> remove(const PluginPtr& plugin) const;

private:
    std::shared_ptr<ContainerCore> core_;
};

}  // namespace cordon
