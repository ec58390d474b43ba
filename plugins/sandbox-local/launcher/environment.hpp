#pragma once

#include <cstddef>

namespace cordon::launch {

/// Variables of this prefix carry loader variables past the runner, which must not obey them:
/// `CORDON_COMMAND_LD_PRELOAD=x` becomes `LD_PRELOAD=x` for the command. The launcher itself is
/// linked statically and obeys none.
inline constexpr char kCommandVariablePrefix[] = "CORDON_COMMAND_";

/// How many entries `set_variable` may append to an environment of the launcher.
inline constexpr std::size_t kSpareVariables = 2;

/// Gives the variables their own names, in place; an older entry of the same name goes.
void restore_command_variables(char** environment);

/// Puts `entry`, which is `NAME=value` with this name, in place of an older one or at the end,
/// where one more null must have room. `entry` must live as long as the environment.
void set_variable(char** environment, const char* name, char* entry);

/// Puts `entry`, a `TMPDIR=…`, in place where what TMPDIR leads to, or `/tmp` without it, is not
/// writable in the view: it may name a folder of the host.
void ensure_temporary_directory(char** environment, char* entry);

}  // namespace cordon::launch
