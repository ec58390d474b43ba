#include <cordon/process/signal.hpp>

#include <fmt/format.h>

#include <csignal>

#include <string.h>

namespace cordon {

std::string signal_name(int number) {
    const char* abbreviation = sigabbrev_np(number);
    return abbreviation != nullptr ? fmt::format("SIG{}", abbreviation)
                                   : fmt::format("SIG{}", number);
}

std::optional<int> signal_number(std::string_view name) {
    for (int number = 1; number < NSIG; ++number) {
        if (signal_name(number) == name) {
            return number;
        }
    }
    return std::nullopt;
}

}  // namespace cordon
