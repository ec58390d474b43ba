#include <cordon/config/expression/utf.hpp>

#include <algorithm>
#include <cstdint>

namespace cordon::expression {

char32_t decode_character(std::string_view text, std::size_t& offset) {
    const auto byte = [&](std::size_t i) -> char32_t {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0;
    };
    const char32_t lead = byte(offset++);
    if (lead < 0xC0) {
        return lead;
    }
    const int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t character = lead & (0x3FU >> more);
    for (int i = 0; i < more; ++i) {
        character = (character << 6) | (byte(offset++) & 0x3F);
    }
    return character;
}

void append_character(std::string& text, char32_t character) {
    const auto add = [&](char32_t byte) {
        text += static_cast<char>(static_cast<std::uint8_t>(byte));
    };
    if (character < 0x80) {
        add(character);
        return;
    }
    const int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    constexpr char32_t kLeads[] = {0, 0xC0, 0xE0, 0xF0};
    add(kLeads[more] | (character >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) {
        add(0x80 | ((character >> (6 * i)) & 0x3F));
    }
}

std::size_t utf16_length(std::string_view text) {
    std::size_t length = 0;
    for (const char c : text) {
        const auto byte = static_cast<std::uint8_t>(c);
        length += (byte & 0xC0U) != 0x80U ? 1 : 0;
        length += byte >= 0xF0 ? 1 : 0;
    }
    return length;
}

std::size_t byte_offset(std::string_view text, std::size_t index) {
    std::size_t offset = 0;
    while (offset < text.size() && index > 0) {
        std::size_t next = offset;
        const std::size_t units = decode_character(text, next) > 0xFFFF ? 2 : 1;
        if (units > index) {
            break;
        }
        index -= units;
        offset = next;
    }
    return offset;
}

const std::vector<std::pair<char32_t, char32_t>>& blank_ranges() {
    static const std::vector<std::pair<char32_t, char32_t>> kRanges{
        {0x09, 0x0D},
        {0x20, 0x20},
        {0xA0, 0xA0},
        {0x1680, 0x1680},
        {0x2000, 0x200A},
        {0x2028, 0x2029},
        {0x202F, 0x202F},
        {0x205F, 0x205F},
        {0x3000, 0x3000},
        {0xFEFF, 0xFEFF}};
    return kRanges;
}

bool is_blank(char32_t character) {
    const auto& ranges = blank_ranges();
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
        return range.first <= character && character <= range.second;
    });
}

}  // namespace cordon::expression
