#pragma once

#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/context.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace cordon {

/// What a context sees otherwise than its parent does.
struct ScopeOverrides {
    /// Services with a slot of their own: without a label a private one, else the one that is
    /// shared under that label (spec CTX-8, CTX-9).
    std::map<std::string, std::optional<std::string>> isolate;
    /// One intercept layer for each of these services (spec CTX-15).
    std::map<std::string, Object> intercept;
};

/// A context that can be moved to another parent, and see other slots, while plugins run in it: the
/// place of one row of a composition (spec LDR-55, ISO-4..ISO-8).
///
/// Lifetime: contexts taken from it and fibers applied in them may outlive it.
/// Threads: strand only.
class CORDON_API MovableContext {
public:
    MovableContext(const Context& parent, const ScopeOverrides& overrides);

    [[nodiscard]] Context context() const;

    /// From now on everything beneath sees what `parent` and `overrides` say. Services provided
    /// there move to their new slots without a restart of their providers; fibers are restarted,
    /// started or unloaded only where a service that they require resolves differently. A private
    /// slot stays the same one for the life of this object. Fibers applied in the context itself
    /// become children of the new parent's fiber; its other effects stay where they are.
    ///
    /// Errors, upon which nothing has changed: `service "NAME" has been registered at <OWNER>`,
    /// code `SERVICE_EXISTS`, where a slot that a service moves to is taken (spec DIF-L8); code
    /// `SCOPE_CYCLE` where `parent` is beneath; `INACTIVE_EFFECT` where its fiber accepts nothing.
    void move(const Context& parent, const ScopeOverrides& overrides);

private:
    void override_scope(const ScopeOverrides& wanted);
    [[nodiscard]] std::string private_label(const std::string& service);

    std::map<std::string, std::string> private_labels_;
    std::shared_ptr<ContextNode> node_;
};

}  // namespace cordon
