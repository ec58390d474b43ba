#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::expression {

/// What `new URL(text, base)` gives, as far as expressions need it: the WHATWG rules for `file`,
/// `http(s)`, `ws(s)` and `ftp`, and for other schemes with a path. Host names are ASCII; IPv4
/// addresses are not rewritten.
struct Url {
    /// Without the colon.
    std::string scheme;
    std::string username;
    std::string password;
    std::string host;
    bool has_authority = false;
    /// Empty where there is none or the scheme's own.
    std::string port;
    std::vector<std::string> path;
    /// Of a URL such as `mailto:x`, which has no segments.
    std::optional<std::string> opaque_path;
    std::optional<std::string> query;
    std::optional<std::string> fragment;

    [[nodiscard]] std::string href() const;
    [[nodiscard]] std::string pathname() const;
    [[nodiscard]] std::string host_and_port() const;
    [[nodiscard]] std::string origin() const;
    [[nodiscard]] bool is_special() const;
};

/// Empty where the text is no URL, or relative without a base.
[[nodiscard]] std::optional<Url> parse_url(std::string_view text, const Url* base);

/// `%41` as `A`; empty where the escapes are malformed or give no UTF-8.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

/// Every byte escaped that is no ASCII letter, digit, or one of `kept`.
[[nodiscard]] std::string percent_encoded(std::string_view text, std::string_view kept);

}  // namespace cordon::expression
