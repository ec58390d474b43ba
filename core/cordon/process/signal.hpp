#pragma once

#include <cordon/base/export.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cordon {

/// `SIGKILL` for 9; `SIG40` for a signal without a name.
[[nodiscard]] CORDON_API std::string signal_name(int number);

/// The other way round; empty for text that `signal_name` does not produce.
[[nodiscard]] CORDON_API std::optional<int> signal_number(std::string_view name);

}  // namespace cordon
