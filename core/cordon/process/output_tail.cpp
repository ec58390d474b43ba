#include <cordon/base/text.hpp>
#include <cordon/process/output_tail.hpp>

#include <algorithm>
#include <limits>

namespace cordon {
namespace {

/// A character is at most four bytes, so this many before the cut tell whether it went through one.
constexpr std::size_t kLookBehind = 3;

/// Length that the first byte of a sequence announces; 0 for bytes that start none.
std::size_t announced_length(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    if (byte >= 0xF0) {
        return 4;
    }
    if (byte >= 0xE0) {
        return 3;
    }
    return byte >= 0xC0 ? 2 : 0;
}

/// Bytes at `cut` that end a character which began before it.
std::size_t split_character_rest(std::string_view bytes, std::size_t cut) {
    for (std::size_t back = 1; back <= std::min(cut, kLookBehind); ++back) {
        const std::size_t length = announced_length(bytes[cut - back]);
        if (length > back && !invalid_utf8_offset(bytes.substr(cut - back, length))) {
            return length - back;
        }
    }
    return 0;
}

}  // namespace

OutputTail::OutputTail(std::size_t max_bytes)
    : max_bytes_(std::min(max_bytes, std::numeric_limits<std::size_t>::max() / 4)) {}

void OutputTail::append(std::string_view bytes) {
    total_ += bytes.size();
    kept_.append(bytes);
    // Dropping only once as much again has gathered keeps the moving of bytes linear.
    const std::size_t keep = max_bytes_ + kLookBehind;
    if (kept_.size() >= 2 * keep) {
        kept_.erase(0, kept_.size() - keep);
    }
}

CollectedOutput OutputTail::collected() const {
    const std::string_view bytes = kept_;
    const std::size_t cut = bytes.size() > max_bytes_ ? bytes.size() - max_bytes_ : 0;
    const std::size_t start = std::min(bytes.size(), cut + split_character_rest(bytes, cut));
    CollectedOutput output;
    output.text = replace_invalid_utf8(bytes.substr(start));
    output.bytes = total_;
    output.truncated = total_ > max_bytes_;
    return output;
}

std::string replace_invalid_utf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (const auto offset = invalid_utf8_offset(bytes)) {
        text.append(bytes.substr(0, *offset));
        text.append("\xEF\xBF\xBD");
        bytes.remove_prefix(*offset + 1);
    }
    text.append(bytes);
    return text;
}

}  // namespace cordon
