#pragma once

#include <cordon/base/export.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

/// Variables by name.
using Environment = std::map<std::string, std::string>;

/// What a call adds to an environment; no value removes the variable.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// The environment of this process. Read it on the strand: nothing in the process may change it
/// meanwhile.
[[nodiscard]] CORDON_API Environment host_environment();

/// Whether a variable of the host is kept from every command: it looks like a credential (spec
/// SU-20), it is Cordon's own, or it would make a shell run code of the host's (`BASH_ENV`, `ENV`,
/// exported functions).
[[nodiscard]] CORDON_API bool is_withheld_variable(std::string_view name);

/// `host` without what is withheld, then `changes` on top, unfiltered (spec SU-20..SU-22).
[[nodiscard]] CORDON_API Environment
child_environment(const Environment& host, const EnvironmentChanges& changes);

}  // namespace cordon
