#include <cordon/config/expression/path.hpp>

#include <algorithm>

namespace cordon::expression {
namespace {

std::string_view without_slashes_at_end(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) {
        path.remove_suffix(1);
    }
    return path;
}

}  // namespace

std::string normalized_path(std::string_view path) {
    const bool is_absolute = path.starts_with('/');
    const bool ends_with_slash = path.ends_with('/');
    std::vector<std::string_view> segments;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view segment = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (segment.empty() || segment == ".") {
            continue;
        }
        const bool can_go_up = !segments.empty() && segments.back() != "..";
        if (segment == ".." && can_go_up) {
            segments.pop_back();
        } else if (segment != ".." || !is_absolute) {
            segments.push_back(segment);
        }
    }
    std::string result = is_absolute ? "/" : "";
    for (const std::string_view segment : segments) {
        result += result.empty() || result.ends_with('/') ? "" : "/";
        result += segment;
    }
    if (result.empty()) {
        return ends_with_slash ? "./" : ".";
    }
    return ends_with_slash && !result.ends_with('/') ? result + '/' : result;
}

std::string joined_path(const std::vector<std::string>& parts) {
    std::string path;
    for (const std::string& part : parts) {
        if (!part.empty()) {
            path += path.empty() ? part : '/' + part;
        }
    }
    return normalized_path(path);
}

std::string resolved_path(std::string_view cwd, const std::vector<std::string>& parts) {
    std::string path{cwd};
    for (const std::string& part : parts) {
        if (part.starts_with('/')) {
            path = part;
        } else if (!part.empty()) {
            path += '/' + part;
        }
    }
    return std::string{without_slashes_at_end(normalized_path(path))};
}

std::string directory_of(std::string_view path) {
    path = without_slashes_at_end(path);
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return ".";
    }
    if (slash == 1 && path[0] == '/') {
        return "//";  // POSIX leaves this root to the system, and Node keeps it
    }
    return std::string{without_slashes_at_end(path.substr(0, std::max<std::size_t>(slash, 1)))};
}

std::string base_of(std::string_view path, std::string_view suffix) {
    const bool is_all_suffix = path == suffix;
    path = without_slashes_at_end(path);
    if (path == "/" || is_all_suffix) {
        return {};
    }
    const std::size_t slash = path.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    const bool has_suffix = name != suffix && name.ends_with(suffix);
    return std::string{name.substr(0, name.size() - (has_suffix ? suffix.size() : 0))};
}

std::string extension_of(std::string_view path) {
    const std::string name = base_of(path, "");
    const std::size_t dot = name.rfind('.');
    const bool is_extension = dot != std::string::npos && dot > 0 && name != "..";
    return is_extension ? name.substr(dot) : std::string{};
}

}  // namespace cordon::expression
