#include "console_line.hpp"

#include <cordon/base/text.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

namespace cordon::logger_console {
namespace {

using Clock = std::chrono::system_clock;

/// The basic ones that are legible on black and on white.
constexpr std::array kBasicColors{1, 2, 3, 4, 5, 6};

/// Those of the 6×6×6 cube that are neither near black nor near white nor grey.
std::vector<int> cube_colors() {
    constexpr int kFirst = 16;
    constexpr int kSide = 6;
    std::vector<int> colors;
    for (int index = 0; index < kSide * kSide * kSide; ++index) {
        const int red = index / (kSide * kSide);
        const int green = index / kSide % kSide;
        const int blue = index % kSide;
        const int brightness = 3 * red + 6 * green + blue;  // as the eye weighs them
        const bool is_grey = red == green && green == blue;
        if (!is_grey && brightness >= 12 && brightness <= 36) {
            colors.push_back(kFirst + index);
        }
    }
    return colors;
}

/// FNV-1a: short, stable over builds and platforms, unlike std::hash.
std::uint32_t stable_hash(std::string_view text) {
    std::uint32_t hash = 2166136261U;
    for (const char sign : text) {
        hash = (hash ^ static_cast<unsigned char>(sign)) * 16777619U;
    }
    return hash;
}

std::string painted(std::string_view text, const LogRecord& record, const LineFormat& format) {
    if (format.colors <= 0) {
        return std::string{text};
    }
    const int color = color_of(record.name, format.colors);
    const std::string code =
        format.colors == 1 ? fmt::format("3{}", color) : fmt::format("38;5;{};1", color);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string padding(std::size_t width, std::size_t taken) {
    return std::string(width > taken ? width - taken : 0, ' ');
}

/// At a character border, so that no broken character is shown.
std::string_view cut(std::string_view line, std::size_t limit) {
    std::size_t characters = 0;
    for (std::size_t index = 0; index < line.size(); ++index) {
        const bool continues = (static_cast<unsigned char>(line[index]) & 0xC0U) == 0x80U;
        if (!continues && characters++ == limit) {
            return line.substr(0, index);
        }
    }
    return line;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        lines.push_back(line);
        if (end == std::string_view::npos) {
            return lines;
        }
        text.remove_prefix(end + 1);
    }
}

std::string tag_of(LogLevel level) {
    constexpr std::array kLetters{'E', 'W', 'I', 'D'};
    return fmt::format("[{}] ", kLetters[static_cast<std::size_t>(level)]);
}

}  // namespace

std::string console_line(
    const LogRecord& record, const LineFormat& format, std::optional<Clock::time_point> previous
) {
    const std::string time = time_text(record.time, format.show_time);
    const std::string tag = tag_of(record.level);
    const std::string pad = padding(format.label_width, record.name.size());
    const std::string name = painted(record.name, record, format);
    std::string line = time + tag;
    line += format.label_align == Align::left ? name + pad : pad + name;
    line.append(format.label_margin, ' ');

    const std::size_t indent = time.size() + tag.size() +
                               std::max(format.label_width, record.name.size()) +
                               format.label_margin;
    bool is_first = true;
    for (const std::string_view text : lines_of(record.message)) {
        if (!std::exchange(is_first, false)) {
            line += '\n';
            line.append(indent, ' ');
        }
        const std::string_view shown = cut(text, format.max_length);
        line += shown;
        line += shown.size() < text.size() ? "..." : "";
    }
    if (format.show_diff && previous) {
        const auto diff = std::chrono::floor<std::chrono::milliseconds>(record.time - *previous);
        line += painted(fmt::format(" +{}ms", diff.count()), record, format);
    }
    return line;
}

std::string time_text(Clock::time_point time, std::string_view pattern) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(time);
    const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time - whole).count();
    const std::time_t seconds = Clock::to_time_t(whole);
    std::tm local{};
    ::localtime_r(&seconds, &local);
    const std::array<std::pair<std::string_view, std::string>, 7> words{
        std::pair{"yyyy", fmt::format("{:04}", local.tm_year + 1900)},
        {"MM", fmt::format("{:02}", local.tm_mon + 1)},
        {"dd", fmt::format("{:02}", local.tm_mday)},
        {"hh", fmt::format("{:02}", local.tm_hour)},
        {"mm", fmt::format("{:02}", local.tm_min)},
        {"ss", fmt::format("{:02}", local.tm_sec)},
        {"SSS", fmt::format("{:03}", milliseconds)}};
    std::string text;
    while (!pattern.empty()) {
        std::size_t taken = 1;
        std::string_view shown = pattern.substr(0, 1);
        for (const auto& [word, value] : words) {
            if (pattern.starts_with(word)) {
                taken = word.size();
                shown = value;
                break;
            }
        }
        text += shown;
        pattern.remove_prefix(taken);
    }
    return text;
}

int color_of(std::string_view name, int colors) {
    static const std::vector<int> kCubeColors = cube_colors();
    const std::uint32_t hash = stable_hash(name);
    return colors == 1 ? kBasicColors[hash % kBasicColors.size()]
                       : kCubeColors[hash % kCubeColors.size()];
}

}  // namespace cordon::logger_console
