#include <cordon/base/text.hpp>
#include <cordon/loader/elf.hpp>
#include <cordon/loader/module.hpp>

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>

namespace cordon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".so";
constexpr const char* kSymbol = "cordon_plugin";

[[noreturn]] void refuse(const fs::path& file, const std::string& reason) {
    throw Error{fmt::format("'{}' {}", file.string(), reason), "PLUGIN_INVALID"};
}

bool is_path(std::string_view specifier) {
    return specifier.starts_with('/') || specifier.starts_with("./") ||
           specifier.starts_with("../") || specifier.starts_with("file:");
}

std::optional<int> hex_digit(char c) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::size_t value = kDigits.find(to_lower(std::string_view{&c, 1}));
    return value == std::string_view::npos ? std::nullopt : std::optional{static_cast<int>(value)};
}

/// The path of a `file:` URL on this machine.
fs::path path_of_url(std::string_view url) {
    std::string_view text = url.substr(std::string_view{"file:"}.size());
    if (text.starts_with("//localhost/")) {
        text.remove_prefix(std::string_view{"//localhost"}.size());
    } else if (text.starts_with("///")) {
        text.remove_prefix(2);
    }
    std::string path;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            path += text[i];
            continue;
        }
        const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
        const auto low = high ? hex_digit(text[i + 2]) : std::nullopt;
        if (!low || (*high == 0 && *low == 0)) {
            path.clear();
            break;
        }
        path += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    if (!path.starts_with('/') || path.starts_with("//")) {
        throw Error{
            fmt::format(
                "'{}' is no URL of a local file; expected file:///path/of/a/plugin.so", url
            ),
            "PLUGIN_NOT_FOUND"};
    }
    return path;
}

/// Names are looked up below the plugin folders and must not lead out of them.
bool is_plain_name(std::string_view name) {
    if (name.empty() || name.find('\0') != std::string_view::npos) {
        return false;
    }
    const fs::path path{name};
    return std::all_of(path.begin(), path.end(), [](const fs::path& part) {
        return !part.empty() && part != "." && part != ".." && part != "/";
    });
}

/// The tag in the file, read without running anything. A library without one is no plugin.
void check_tag_in_file(const fs::path& file) {
    const std::optional<std::string> section = ElfFile{file}.section(CORDON_ABI_SECTION);
    if (!section) {
        refuse(
            file,
            fmt::format(
                "is no Cordon plugin: it has no section {}, which CORDON_PLUGIN makes",
                CORDON_ABI_SECTION
            )
        );
    }
    const std::string tag = section->substr(0, section->find('\0'));
    if (tag != CORDON_ABI_TAG) {
        refuse(
            file,
            fmt::format(
                "is built for another ABI. It has: {}. Cordon has: {}. Build it with the compiler "
                "and the libraries of this Cordon",
                tag,
                CORDON_ABI_TAG
            )
        );
    }
}

/// A folder of our own that is gone with what is in it by the end of the scope.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const fs::path& parent) {
        std::string pattern = parent / "cordon-plugin-XXXXXX";
        if (::mkdtemp(pattern.data()) != nullptr) {
            path_ = pattern;
        }
    }

    ~TemporaryFolder() {
        if (!path_.empty()) {
            std::error_code ignored;  // nobody is there to be told
            fs::remove_all(path_, ignored);
        }
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    /// Empty where it could not be made.
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

struct Opening {
    boost::dll::shared_library library;
    /// The linker's words, where it is not open.
    std::string failure;
};

Opening open_in_place(const fs::path& file) {
    Opening opening;
    std::error_code failed;
    opening.library.load(
        file, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local, failed
    );
    if (failed) {
        // Only the first call returns the linker's text (field-156).
        const char* text = ::dlerror();
        opening.failure = text == nullptr ? "no reason given" : text;
        return opening;
    }
    // One handle more, which nobody closes: frames of a plugin may be on a stack when its last
    // object goes, and services of Asio that it made outlive it, so its code stays mapped.
    ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE);
    return opening;
}

/// The linker takes two files of one path for one library, so each copy has a path of its own. It
/// is removed once it is mapped.
Opening open_copy(const fs::path& file) {
    Opening opening;
    std::error_code none;
    for (const fs::path& parent : {fs::temp_directory_path(none), fs::path{"/var/tmp"}}) {
        const TemporaryFolder folder{parent};
        const fs::path copy = folder.path() / file.filename();
        std::error_code failed;
        if (folder.path().empty() || !fs::copy_file(file, copy, failed)) {
            opening.failure = "it cannot be copied to a folder for temporary files";
            continue;
        }
        check_tag_in_file(copy);  // it may have changed since
        opening = open_in_place(copy);
        if (opening.library.is_loaded()) {
            break;
        }
        const std::size_t at = opening.failure.find(copy.string());
        if (at != std::string::npos) {
            opening.failure.replace(at, copy.string().size(), file.string());
        }
    }
    return opening;
}

std::string stamp_of(const fs::path& file) {
    struct stat status {};

    if (::stat(file.c_str(), &status) != 0) {
        return {};
    }
    return fmt::format(
        "{} {} {} {}.{:09}",
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec
    );
}

const PluginExport& export_of(const fs::path& file, const boost::dll::shared_library& library) {
    if (!library.has(kSymbol)) {
        refuse(
            file,
            fmt::format("is no Cordon plugin: it does not export '{}'; use CORDON_PLUGIN", kSymbol)
        );
    }
    const auto& plugin = library.get<const PluginExport>(kSymbol);
    if (plugin.magic != kPluginMagic || plugin.size != sizeof(PluginExport)) {
        refuse(file, fmt::format("is no Cordon plugin: its '{}' has another layout", kSymbol));
    }
    if (plugin.abi_tag == nullptr || std::strcmp(plugin.abi_tag, CORDON_ABI_TAG) != 0) {
        refuse(file, "is no sound Cordon plugin: its export has another ABI tag than its section");
    }
    return plugin;
}

PluginPtr describe(const fs::path& file, const PluginExport& exported) {
    std::exception_ptr failure;
    PluginPtr plugin;
    if (exported.describe != nullptr) {
        try {
            plugin = exported.describe();
        } catch (...) {
            failure = as_error(std::current_exception());
        }
    }
    if (failure) {
        throw Error{
            fmt::format("'{}' failed to describe itself: {}", file.string(), message_of(failure)),
            "PLUGIN_INVALID",
            as_cause(failure)};
    }
    if (!plugin || !plugin->apply || plugin->name.empty()) {
        refuse(file, "describes no plugin: its describe function gave no name or nothing to apply");
    }
    return plugin;
}

}  // namespace

ModuleResolver::ModuleResolver(
    std::vector<std::pair<std::string, std::string>> aliases, std::vector<fs::path> search_path
)
    : aliases_(std::move(aliases)), search_path_(std::move(search_path)) {}

std::string ModuleResolver::canonical_name(std::string_view specifier) const {
    for (const auto& [pattern, name] : aliases_) {
        if (!pattern.ends_with('*')) {
            if (pattern == specifier) {
                return name;
            }
            continue;
        }
        const std::string_view prefix{pattern.data(), pattern.size() - 1};
        if (!specifier.starts_with(prefix) || specifier.size() == prefix.size()) {
            continue;
        }
        const std::size_t star = name.find('*');
        if (star == std::string::npos) {
            return name;
        }
        std::string result = name;
        return result.replace(star, 1, specifier.substr(prefix.size()));
    }
    return std::string{specifier};
}

std::vector<fs::path> ModuleResolver::candidates(
    std::string_view specifier, const fs::path& base_folder
) const {
    if (is_path(specifier)) {
        const fs::path path =
            specifier.starts_with("file:") ? path_of_url(specifier) : fs::path{specifier};
        return {(base_folder / path).lexically_normal()};
    }
    const std::string name = canonical_name(specifier);
    if (!is_plain_name(name)) {
        throw Error{fmt::format("'{}' is no name of a plugin", name), "PLUGIN_NOT_FOUND"};
    }
    std::vector<fs::path> files;
    for (const fs::path& folder : search_path_) {
        fs::path file = folder / name;
        file += kSuffix;
        files.push_back(std::move(file));
    }
    return files;
}

fs::path ModuleResolver::resolve(std::string_view specifier, const fs::path& base_folder) const {
    std::vector<std::string> tried;
    for (fs::path& file : candidates(specifier, base_folder)) {
        std::error_code unreadable;  // load() says why, where the file is there
        if (fs::exists(file, unreadable) || unreadable) {
            return std::move(file);
        }
        tried.push_back(file.string());
    }
    if (is_path(specifier)) {
        throw Error{fmt::format("there is no file '{}'", tried.front()), "PLUGIN_NOT_FOUND"};
    }
    not_found(canonical_name(specifier), tried, base_folder);
}

void ModuleResolver::not_found(
    const std::string& name, const std::vector<std::string>& tried, const fs::path& base_folder
) const {
    std::string hint;
    std::error_code unreadable;
    if (const auto nearest = nearest_name(name, available())) {
        hint = fmt::format("; perhaps '{}' is meant", *nearest);
    } else if (fs::exists(base_folder / name, unreadable)) {
        hint = fmt::format("; write './{}' for the file beside the composition", name);
    }
    throw Error{
        fmt::format(
            "there is no plugin '{}': {}{}",
            name,
            tried.empty() ? "the plugin path is empty" : "tried " + join(tried),
            hint
        ),
        "PLUGIN_NOT_FOUND"};
}

LoadedPlugin ModuleResolver::load(const fs::path& file) {
    std::error_code missing;
    fs::path real = fs::canonical(file, missing);
    if (missing) {
        refuse(file, "cannot be opened: " + missing.message());
    }
    if (const auto known = loaded_.find(real); known != loaded_.end()) {
        return known->second;
    }
    std::string stamp = stamp_of(real);
    check_tag_in_file(real);
    Opening opening = open_copy(real);
    if (!opening.library.is_loaded()) {
        opening = open_in_place(real);
    }
    if (!opening.library.is_loaded()) {
        refuse(real, "cannot be opened: " + opening.failure);
    }
    const PluginPtr plugin = describe(real, export_of(real, opening.library));
    LoadedPlugin loaded{real, plugin, std::move(stamp)};
    loaded_.emplace(std::move(real), loaded);
    return loaded;
}

void ModuleResolver::renew(const std::vector<fs::path>& files) {
    Opened renewed = loaded_;
    std::vector<std::exception_ptr> failures;
    for (const fs::path& file : files) {
        std::error_code missing;
        const fs::path real = fs::weakly_canonical(file, missing);
        const auto known = renewed.find(real);
        if (known == renewed.end()) {
            continue;
        }
        try {
            std::string stamp = stamp_of(real);
            if (stamp == known->second.stamp) {
                continue;
            }
            check_tag_in_file(real);
            const Opening opening = open_copy(real);
            if (!opening.library.is_loaded()) {
                // In place, the linker would give the old code once more.
                refuse(real, "cannot be opened again: " + opening.failure);
            }
            const PluginPtr plugin = describe(real, export_of(real, opening.library));
            known->second = LoadedPlugin{real, plugin, std::move(stamp)};
        } catch (...) {
            failures.push_back(as_error(std::current_exception()));
        }
    }
    if (!failures.empty()) {
        std::vector<std::string> texts;
        for (const std::exception_ptr& failure : failures) {
            texts.push_back(message_of(failure));
        }
        throw Error{join(texts, "; "), "PLUGIN_INVALID", as_cause(failures.front())};
    }
    loaded_ = std::move(renewed);
}

std::vector<std::string> ModuleResolver::available() const {
    std::set<std::string> names;
    for (const fs::path& folder : search_path_) {
        std::error_code unreadable;  // a folder that cannot be listed offers nothing
        for (const auto& entry : fs::directory_iterator{folder, unreadable}) {
            if (entry.path().extension() == kSuffix) {
                names.insert(entry.path().stem().string());
            }
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace cordon
