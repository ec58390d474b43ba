#include <cordon/config/number_text.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace cordon {
namespace {

/// The shortest significant digits and the position of the decimal point after the first of them.
struct Digits {
    std::string digits;
    int exponent = 0;
};

Digits shortest_digits(double magnitude) {
    std::array<char, 32> buffer{};
    const auto written = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific
    );
    const std::string_view text{
        buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data())};
    const std::size_t e = text.find('e');
    Digits result;
    for (const char c : text.substr(0, e)) {
        if (c != '.') {
            result.digits += c;
        }
    }
    const std::string_view exponent = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
    return result;
}

/// The layout of ECMAScript's Number::toString.
std::string lay_out(const Digits& number) {
    const int count = static_cast<int>(number.digits.size());
    const int point = number.exponent + 1;
    if (point > 21 || point < -5) {
        std::string text = number.digits.substr(0, 1);
        if (count > 1) {
            text += '.' + number.digits.substr(1);
        }
        return fmt::format(
            "{}e{}{}", text, number.exponent < 0 ? '-' : '+', std::abs(number.exponent)
        );
    }
    if (point <= 0) {
        return "0." + std::string(static_cast<std::size_t>(-point), '0') + number.digits;
    }
    if (count <= point) {
        return number.digits + std::string(static_cast<std::size_t>(point - count), '0');
    }
    const auto whole = static_cast<std::size_t>(point);
    return number.digits.substr(0, whole) + '.' + number.digits.substr(whole);
}

std::size_t digits_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && text[length] >= '0' && text[length] <= '9') {
        ++length;
    }
    return length;
}

std::size_t exponent_length(std::string_view text) {
    if (text.empty() || (text[0] != 'e' && text[0] != 'E')) {
        return 0;
    }
    const std::size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
    const std::size_t digits = digits_length(text.substr(1 + sign));
    return digits == 0 ? 0 : 1 + sign + digits;
}

}  // namespace

std::string number_text(double number) {
    if (std::isnan(number)) {
        return "NaN";
    }
    if (number == 0) {
        return "0";
    }
    if (std::isinf(number)) {
        return number < 0 ? "-Infinity" : "Infinity";
    }
    return (number < 0 ? "-" : "") + lay_out(shortest_digits(std::fabs(number)));
}

double decimal_number(std::string_view digits) {
    double number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc::result_out_of_range) {
        return number;
    }
    // Either too large or too small: from_chars does not say which, a negative exponent does.
    return digits.find("e-") != std::string_view::npos ||
                   digits.find("E-") != std::string_view::npos
               ? 0.0
               : std::numeric_limits<double>::infinity();
}

double radix_number(std::string_view digits, int base) {
    double number = 0;
    for (const char c : digits) {
        const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        number = number * base + digit;
    }
    return number;
}

std::size_t decimal_length(std::string_view text) {
    std::size_t length = digits_length(text);
    std::size_t digits = length;
    if (length < text.size() && text[length] == '.') {
        const std::size_t fraction = digits_length(text.substr(length + 1));
        digits += fraction;
        length += 1 + fraction;
    }
    return digits == 0 ? 0 : length + exponent_length(text.substr(length));
}

}  // namespace cordon
