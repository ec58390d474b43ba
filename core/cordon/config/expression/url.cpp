#include <cordon/base/text.hpp>
#include <cordon/config/expression/url.hpp>
#include <cordon/config/number_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace cordon::expression {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
// Escaped in a query and in a fragment; a path escapes the first and more.
constexpr std::string_view kQueryEscapes = " \"#<>";
constexpr std::string_view kFragmentEscapes = " \"<>`";
constexpr std::string_view kPathEscapes = " \"#<>?`{}";
constexpr std::string_view kUserEscapes = " \"#<>?`{}/:;=@[\\]^|";
constexpr std::string_view kForbiddenInHost = " #%/:<>?@[\\]^|";

struct Scheme {
    std::string_view name;
    std::string_view port;
};

constexpr std::array kSpecial{
    Scheme{"file", ""},
    Scheme{"http", "80"},
    Scheme{"https", "443"},
    Scheme{"ws", "80"},
    Scheme{"wss", "443"},
    Scheme{"ftp", "21"}};

const Scheme* special_scheme(std::string_view name) {
    const auto found = std::find_if(kSpecial.begin(), kSpecial.end(), [&](const Scheme& known) {
        return known.name == name;
    });
    return found == kSpecial.end() ? nullptr : found;
}

std::string escaped(std::string_view text, std::string_view characters) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<std::uint8_t>(c);
        const bool is_control = byte < 0x20 || byte >= 0x7F;
        if (is_control || characters.find(c) != std::string_view::npos) {
            result += fmt::format("%{:02X}", byte);
        } else {
            result += c;
        }
    }
    return result;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t scheme_length(std::string_view text) {
    if (text.empty() || !is_letter(text[0])) {
        return 0;
    }
    for (std::size_t i = 1; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ':') {
            return i;
        }
        if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') {
            return 0;
        }
    }
    return 0;
}

/// Without blanks and controls around it, and without tabs and line ends.
std::string cleaned(std::string_view text) {
    const auto is_edge = [](char c) {
        return static_cast<std::uint8_t>(c) <= 0x20;
    };
    while (!text.empty() && is_edge(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_edge(text.back())) {
        text.remove_suffix(1);
    }
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result), [](char c) {
        return c != '\t' && c != '\n' && c != '\r';
    });
    return result;
}

bool is_dot(std::string_view segment) {
    return segment == "." || to_lower(segment) == "%2e";
}

bool is_double_dot(std::string_view segment) {
    const std::string lowered = to_lower(segment);
    return lowered == ".." || lowered == ".%2e" || lowered == "%2e." || lowered == "%2e%2e";
}

bool is_drive(std::string_view segment) {
    return segment.size() == 2 && is_letter(segment[0]) && segment[1] == ':';
}

/// Reads the parts of one text into a URL that may already hold those of its base.
class UrlReader {
public:
    UrlReader(std::string_view text, Url& url) : rest_(text), url_(url) {}

    /// Everything behind the scheme. False where it is no URL.
    bool absolute() {
        take_fragment_and_query();
        if (!url_.is_special() && !rest_.starts_with("/")) {
            url_.opaque_path = escaped(rest_, "");
            return true;
        }
        if (url_.scheme == "file") {
            return file();
        }
        if (url_.is_special()) {
            rest_.remove_prefix(std::min(rest_.find_first_not_of("/\\"), rest_.size()));
            return authority() && path();
        }
        if (rest_.starts_with("//")) {
            rest_.remove_prefix(2);
            return authority() && path();
        }
        return path();
    }

    /// The whole text against a base whose parts the URL holds.
    bool relative() {
        const bool has_only_fragment = rest_.empty() || rest_.front() == '#';
        const bool has_only_query = !rest_.empty() && rest_.front() == '?';
        const std::optional<std::string> query = url_.query;
        take_fragment_and_query();
        if (has_only_fragment) {
            url_.query = query;
            return true;
        }
        if (url_.opaque_path) {
            return false;
        }
        if (has_only_query) {
            return true;
        }
        if (is_slash(0) && is_slash(1)) {
            rest_.remove_prefix(2);
            url_.path.clear();
            return authority() && path();
        }
        if (is_slash(0)) {
            const bool keeps_drive =
                url_.scheme == "file" && !url_.path.empty() && is_drive(url_.path[0]);
            url_.path.resize(keeps_drive ? 1 : 0);
            return path();
        }
        if (!url_.path.empty()) {
            url_.path.pop_back();
        }
        return path();
    }

private:
    [[nodiscard]] bool is_slash(std::size_t index) const {
        return index < rest_.size() &&
               (rest_[index] == '/' || (rest_[index] == '\\' && url_.is_special()));
    }

    void take_fragment_and_query() {
        url_.fragment.reset();
        url_.query.reset();
        if (const std::size_t hash = rest_.find('#'); hash != std::string_view::npos) {
            url_.fragment = escaped(rest_.substr(hash + 1), kFragmentEscapes);
            rest_ = rest_.substr(0, hash);
        }
        if (const std::size_t mark = rest_.find('?'); mark != std::string_view::npos) {
            const std::string characters =
                std::string{kQueryEscapes} + (url_.is_special() ? "'" : "");
            url_.query = escaped(rest_.substr(mark + 1), characters);
            rest_ = rest_.substr(0, mark);
        }
    }

    bool file() {
        url_.has_authority = true;
        if (is_slash(0) && is_slash(1)) {
            rest_.remove_prefix(2);
            return authority() && path();
        }
        return path();
    }

    bool authority() {
        url_.has_authority = true;
        const std::size_t end =
            std::min(rest_.find_first_of(url_.is_special() ? "/\\" : "/"), rest_.size());
        std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end);
        url_.username.clear();
        url_.password.clear();
        url_.port.clear();
        if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
            const std::string_view user = text.substr(0, at);
            const std::size_t colon = std::min(user.find(':'), user.size());
            url_.username = escaped(user.substr(0, colon), kUserEscapes);
            url_.password = escaped(user.substr(std::min(colon + 1, user.size())), kUserEscapes);
            text.remove_prefix(at + 1);
        }
        return port(text) && host(text);
    }

    bool port(std::string_view& text) {
        const std::size_t colon = text.rfind(':');
        if (colon == std::string_view::npos || text.find(']', colon) != std::string_view::npos) {
            return true;
        }
        const std::string_view digits = text.substr(colon + 1);
        text = text.substr(0, colon);
        if (digits.empty()) {
            return true;
        }
        const bool is_number = digits.find_first_not_of("0123456789") == std::string_view::npos;
        if (!is_number || decimal_number(digits) > 65535 || url_.scheme == "file") {
            return false;
        }
        url_.port = number_text(decimal_number(digits));
        const Scheme* special = special_scheme(url_.scheme);
        if (special != nullptr && special->port == url_.port) {
            url_.port.clear();
        }
        return true;
    }

    bool host(std::string_view text) {
        const bool is_address = text.size() > 2 && text.front() == '[' && text.back() == ']';
        const std::optional<std::string> decoded = percent_decoded(text);
        if (!decoded ||
            (!is_address && decoded->find_first_of(kForbiddenInHost) != std::string::npos)) {
            return false;
        }
        const bool is_ascii = std::all_of(decoded->begin(), decoded->end(), [](char c) {
            return c > 0x20 && c < 0x7F;
        });
        url_.host = url_.is_special() ? to_lower(*decoded) : std::string{text};
        if (url_.scheme == "file" && url_.host == "localhost") {
            url_.host.clear();
        }
        return is_ascii && (!url_.host.empty() || !url_.is_special() || url_.scheme == "file");
    }

    bool path() {
        if (is_slash(0)) {
            rest_.remove_prefix(1);
        } else if (rest_.empty() && !url_.is_special()) {
            return true;
        }
        while (true) {
            const std::size_t end =
                std::min(rest_.find_first_of(url_.is_special() ? "/\\" : "/"), rest_.size());
            const bool is_last = end == rest_.size();
            add_segment(rest_.substr(0, end), is_last);
            if (is_last) {
                return true;
            }
            rest_.remove_prefix(end + 1);
        }
    }

    void add_segment(std::string_view segment, bool is_last) {
        if (is_double_dot(segment)) {
            const bool is_root =
                url_.scheme == "file" && url_.path.size() == 1 && is_drive(url_.path[0]);
            if (!url_.path.empty() && !is_root) {
                url_.path.pop_back();
            }
        } else if (!is_dot(segment)) {
            url_.path.push_back(escaped(segment, kPathEscapes));
            return;
        }
        if (is_last) {
            url_.path.emplace_back();
        }
    }

    std::string_view rest_;
    Url& url_;
};

}  // namespace

bool Url::is_special() const {
    return special_scheme(scheme) != nullptr;
}

std::string Url::pathname() const {
    if (opaque_path) {
        return *opaque_path;
    }
    std::string text;
    for (const std::string& segment : path) {
        text += '/' + segment;
    }
    return text;
}

std::string Url::host_and_port() const {
    return port.empty() ? host : host + ':' + port;
}

std::string Url::origin() const {
    return is_special() && scheme != "file" ? scheme + "://" + host_and_port() : "null";
}

std::string Url::href() const {
    std::string text = scheme + ':';
    if (has_authority) {
        text += "//" + username;
        text += password.empty() ? "" : ':' + password;
        text += username.empty() && password.empty() ? "" : "@";
        text += host_and_port();
    }
    text += pathname();
    text += query ? '?' + *query : "";
    text += fragment ? '#' + *fragment : "";
    return text;
}

std::optional<Url> parse_url(std::string_view text, const Url* base) {
    const std::string clean = cleaned(text);
    const std::string_view all = clean;
    const std::size_t length = scheme_length(all);
    const std::string scheme = to_lower(all.substr(0, length));
    // `file:x` and `http:x` are relative to a base of the same scheme.
    const bool is_relative_special = length > 0 && base != nullptr && base->scheme == scheme &&
                                     base->is_special() && all.substr(length + 1, 1) != "/" &&
                                     all.substr(length + 1, 1) != "\\";
    Url url;
    if (length > 0 && !is_relative_special) {
        url.scheme = scheme;
        UrlReader reader{all.substr(length + 1), url};
        return reader.absolute() ? std::optional{url} : std::nullopt;
    }
    if (base == nullptr) {
        return std::nullopt;
    }
    url = *base;
    UrlReader reader{is_relative_special ? all.substr(length + 1) : all, url};
    return reader.relative() ? std::optional{url} : std::nullopt;
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        const std::string_view digits = text.substr(i + 1, 2);
        if (digits.size() != 2 || digits.find_first_not_of(kHexDigits) != std::string_view::npos) {
            return std::nullopt;
        }
        result += static_cast<char>(static_cast<std::uint8_t>(radix_number(digits, 16)));
        i += 2;
    }
    return invalid_utf8_offset(result) ? std::nullopt : std::optional{result};
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
    std::string result;
    for (const char c : text) {
        if (is_letter(c) || (c >= '0' && c <= '9') || kept.find(c) != std::string_view::npos) {
            result += c;
        } else {
            result += fmt::format("%{:02X}", static_cast<std::uint8_t>(c));
        }
    }
    return result;
}

}  // namespace cordon::expression
