#include <cordon/base/text.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/bundle.hpp>
#include <cordon/loader/row.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace cordon {
namespace {

constexpr std::string_view kManifestName = "bundle.yml";
constexpr std::string_view kPatchName = "cordis.patch.yml";
constexpr std::array<std::string_view, 6> kManifestKeys{
    "name", "version", "patch", "plugins", "aliases", "defaults"};

/// Reads `bundle.yml` and collects what is wrong with it.
class Manifest {
public:
    explicit Manifest(std::filesystem::path file) : file_(std::move(file)) {}

    Bundle read();

private:
    void key(const Member& member);
    void text(const Member& member, std::string& target);
    void aliases(const Value& value);
    void alias(const Member& member);
    void defaults(const Value& value);
    void wrong(const Value& at, std::string subject, std::string problem, std::string hint = {});

    std::filesystem::path file_;
    std::string patch_{kPatchName};
    std::string plugins_;
    Bundle bundle_;
    std::vector<Diagnostic> found_;
};

void Manifest::wrong(const Value& at, std::string subject, std::string problem, std::string hint) {
    Place place = at.place();
    place.file = file_.string();
    found_.push_back(Diagnostic{
        Severity::error, std::move(place), std::move(subject), std::move(problem), std::move(hint)}
    );
}

void Manifest::text(const Member& member, std::string& target) {
    const std::string* text = member.value.as_string();
    if (text == nullptr || text->empty()) {
        wrong(member.value, member.key, "expected a string, found " + in_words(member.value));
        return;
    }
    target = *text;
}

/// A star stands for the rest of the name, so there is at most one, at the end of the key.
void Manifest::alias(const Member& member) {
    const std::string subject = fmt::format("aliases: '{}'", member.key);
    const std::string* name = member.value.as_string();
    if (name == nullptr || name->empty()) {
        wrong(
            member.value, subject, "expected the name of a plugin, found " + in_words(member.value)
        );
        return;
    }
    const std::size_t star = member.key.find('*');
    const bool is_pattern = star != std::string::npos;
    if (member.key.empty() || (is_pattern && star + 1 != member.key.size())) {
        wrong(member.value, subject, "a `*` may stand only at the end of an alias");
    }
    const auto stars = std::count(name->begin(), name->end(), '*');
    if (stars > (is_pattern ? 1 : 0)) {
        wrong(member.value, subject, fmt::format("'{}' has a `*` too many", *name));
    }
    bundle_.aliases.emplace_back(member.key, *name);
}

void Manifest::aliases(const Value& value) {
    if (const Object* table = value.as_object()) {
        for (const Member& member : *table) {
            alias(member);
        }
        return;
    }
    const Value::Array* list = value.as_array();
    if (list == nullptr) {
        wrong(value, "aliases", "expected a mapping or a list, found " + in_words(value));
        return;
    }
    for (const Value& item : *list) {
        const Object* single = item.as_object();
        if (single == nullptr || single->size() != 1) {
            wrong(item, "aliases", "expected a mapping of one alias to one plugin");
            continue;
        }
        alias(*single->begin());
    }
}

void Manifest::defaults(const Value& value) {
    const Object* table = value.as_object();
    if (table == nullptr) {
        wrong(value, "defaults", "expected services and their plugins, found " + in_words(value));
        return;
    }
    for (const Member& member : *table) {
        std::string plugin;
        text(member, plugin);
        bundle_.defaults.emplace(member.key, std::move(plugin));
    }
}

void Manifest::key(const Member& member) {
    if (member.key == "name") {
        text(member, bundle_.name);
    } else if (member.key == "version") {
        text(member, bundle_.version);
    } else if (member.key == "patch") {
        text(member, patch_);
    } else if (member.key == "plugins") {
        text(member, plugins_);
    } else if (member.key == "aliases") {
        aliases(member.value);
    } else if (member.key == "defaults") {
        defaults(member.value);
    } else {
        const std::vector<std::string> known{kManifestKeys.begin(), kManifestKeys.end()};
        const auto nearest = nearest_name(member.key, known);
        wrong(
            member.value,
            member.key,
            "unknown key of a bundle",
            nearest ? fmt::format("Perhaps `{}` is meant", *nearest) : "The keys are " + join(known)
        );
    }
}

Bundle Manifest::read() {
    const std::optional<Value> document = read_yaml(file_);
    const Value manifest = document.value_or(Value{});
    const Object* members = manifest.as_object();
    if (members == nullptr) {
        wrong(
            manifest, "", "expected a mapping, found " + (document ? in_words(manifest) : "nothing")
        );
        throw DiagnosticError{std::move(found_)};
    }
    for (const Member& member : *members) {
        key(member);
    }
    if (members->find("name") == nullptr) {
        wrong(manifest, "name", "the bundle has no name", "Add `name:`");
    }
    if (!found_.empty()) {
        throw DiagnosticError{std::move(found_)};
    }
    bundle_.folder = file_.parent_path();
    bundle_.manifest_file = file_;
    bundle_.patch_file = bundle_.folder / patch_;
    if (!plugins_.empty()) {
        bundle_.plugins = (bundle_.folder / plugins_).lexically_normal();
    }
    bundle_.layer =
        make_layer(bundle_.name, bundle_.patch_file.string(), read_yaml(bundle_.patch_file));
    return std::move(bundle_);
}

/// Names of the bundles that could have been meant.
std::vector<std::string> available(const std::vector<std::filesystem::path>& search_path) {
    std::vector<std::string> names;
    for (const std::filesystem::path& folder : search_path) {
        std::error_code unreadable;  // a folder that cannot be listed holds no candidates
        for (const auto& entry : std::filesystem::directory_iterator{folder, unreadable}) {
            if (std::filesystem::exists(entry.path() / kManifestName, unreadable)) {
                names.push_back(entry.path().filename().string());
            }
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

[[noreturn]] void not_found(
    const std::string& name,
    const std::vector<std::string>& tried,
    const std::vector<std::filesystem::path>& search_path
) {
    const auto nearest = nearest_name(name, available(search_path));
    throw DiagnosticError{Diagnostic{
        Severity::error,
        {},
        fmt::format("bundle '{}'", name),
        tried.empty() ? std::string{"not found, and there is no folder to look in"}
                      : fmt::format("not found; tried {}", join(tried)),
        nearest ? fmt::format("Perhaps '{}' is meant", *nearest)
                : fmt::format("A bundle is a folder with {}; give one as a path", kManifestName)}};
}

}  // namespace

Bundle load_bundle(
    const std::string& name_or_folder, const std::vector<std::filesystem::path>& search_path
) {
    std::vector<std::filesystem::path> candidates;
    const bool is_folder = name_or_folder.find('/') != std::string::npos || name_or_folder == "." ||
                           name_or_folder == "..";
    if (is_folder) {
        candidates.push_back(std::filesystem::absolute(name_or_folder).lexically_normal());
    } else if (!name_or_folder.empty()) {
        for (const std::filesystem::path& folder : search_path) {
            candidates.push_back(folder / name_or_folder);
        }
    }
    std::vector<std::string> tried;
    for (const std::filesystem::path& candidate : candidates) {
        const std::filesystem::path manifest = candidate / kManifestName;
        std::error_code unreadable;  // read_yaml says why, where the file is there
        if (std::filesystem::exists(manifest, unreadable) || unreadable) {
            return Manifest{manifest}.read();
        }
        tried.push_back(manifest.string());
    }
    not_found(name_or_folder, tried, search_path);
}

}  // namespace cordon
