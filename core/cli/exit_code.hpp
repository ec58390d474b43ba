#pragma once

namespace cordon::cli {

/// The statuses that are Cordon's own; every other one is the command's.
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;
/// Our timeout ended the command.
inline constexpr int kTimedOut = 124;
/// The command could not be run, or not under the mode that was asked for.
inline constexpr int kCannotRun = 125;
/// A death by signal n is 128 + n, of the command as of Cordon itself.
inline constexpr int kSignalBase = 128;

}  // namespace cordon::cli
