#pragma once

namespace cordon::launch {

/// Variables of this prefix carry loader variables past the runner, which must not obey them:
/// `CORDON_COMMAND_LD_PRELOAD=x` becomes `LD_PRELOAD=x` for the command. The launcher itself is
/// linked statically and obeys none.
inline constexpr char kCommandVariablePrefix[] = "CORDON_COMMAND_";

/// Gives the variables their own names, in place; an older entry of the same name goes.
void restore_command_variables(char** environment);

/// Sets `PWD`, which the runner set to the directory where it left us. False where there is no
/// memory.
[[nodiscard]] bool set_working_directory_variable(const char* path);

/// Makes TMPDIR lead to `temporary` where what it leads to, or `/tmp` without it, is not writable
/// in the view: it may name a folder of the host. False where there is no memory.
[[nodiscard]] bool ensure_temporary_directory(const char* temporary);

}  // namespace cordon::launch
