#pragma once

#include <string>
#include <string_view>

namespace cordon {

/// A number as JavaScript writes it: the shortest digits that read back as the same double, `1e+21`
/// from 21 digits on, `NaN`, `Infinity`.
[[nodiscard]] std::string number_text(double number);

/// The double nearest to decimal `digits` (`12`, `.5`, `1.`, `1e3`, no sign); infinity where it is
/// too large. Precondition: the text has that form.
[[nodiscard]] double decimal_number(std::string_view digits);

/// The value of `digits` in base 2, 8 or 16. Precondition: every character is a digit of the base.
[[nodiscard]] double radix_number(std::string_view digits, int base);

/// Length of the decimal number (`12`, `.5`, `1.`, `1e3`, no sign) that starts `text`; 0 where none
/// does.
[[nodiscard]] std::size_t decimal_length(std::string_view text);

}  // namespace cordon
