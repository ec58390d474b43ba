#include <cordon/base/diagnostic.hpp>
#include <cordon/base/text.hpp>
#include <cordon/config/value.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/atomic_file.hpp>
#include <cordon/loader/bundle.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/runtime/composition.hpp>
#include <cordon/runtime/profile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

namespace cordon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManifestName = "profile.yml";
constexpr std::string_view kPatchName = "cordis.patch.yml";
constexpr std::string_view kTemplate = "bundles: [base]\n";
constexpr std::string_view kEmptyPatch =
    "# Your own changes to what the bundles bring, applied in order. An override names a row by "
    "its\n"
    "# id and replaces whole keys; new rows stand under `insert`.\n"
    "[]\n";

[[noreturn]] void refuse(Place place, std::string subject, std::string problem, std::string hint) {
    throw DiagnosticError{Diagnostic{
        Severity::error,
        std::move(place),
        std::move(subject),
        std::move(problem),
        std::move(hint)}};
}

void check_name(const std::string& name) {
    const bool is_bad = name.empty() || name == "." || name == ".." || name == "node_modules" ||
                        name.find_first_of("/\\") != std::string::npos ||
                        name.find('\0') != std::string::npos;
    if (is_bad) {
        refuse(
            {},
            fmt::format("profile '{}'", name),
            "is no name of a profile",
            "Use a plain word: profiles are folders of the home folder"
        );
    }
}

Profile describe(const std::string& name, const fs::path& home) {
    check_name(name);
    if (home.empty()) {
        refuse({}, fmt::format("profile '{}'", name), "there is no home folder", "Set CORDON_HOME");
    }
    Profile profile;
    profile.name = name;
    profile.folder = home / "profiles" / name;
    profile.manifest_file = profile.folder / kManifestName;
    profile.patch_files = {profile.folder / kPatchName, home / kPatchName};
    profile.plugins = profile.folder / "plugins";
    profile.bundle_folder = profile.folder / "bundles";
    return profile;
}

[[noreturn]] void wrong(
    const fs::path& file, const Value& at, std::string subject, std::string problem
) {
    Place place = at.place();
    place.file = file.string();
    refuse(std::move(place), std::move(subject), std::move(problem), "Write `bundles: [base]`");
}

std::vector<std::string> read_bundles(const fs::path& file) {
    const std::optional<Value> document = read_yaml(file);
    std::vector<std::string> bundles;
    if (!document) {
        return bundles;
    }
    const Object* members = document->as_object();
    if (members == nullptr) {
        wrong(file, *document, "", "expected a mapping, found " + in_words(*document));
    }
    for (const Member& member : *members) {
        const Value::Array* items = member.value.as_array();
        if (member.key != "bundles") {
            wrong(file, member.value, member.key, "unknown key of a profile");
        }
        if (items == nullptr) {
            wrong(
                file,
                member.value,
                member.key,
                "expected a list of bundles, found " + in_words(member.value)
            );
        }
        for (const Value& item : *items) {
            const std::string* text = item.as_string();
            if (text == nullptr || text->empty()) {
                wrong(
                    file, item, member.key, "expected the name of a bundle, found " + in_words(item)
                );
            }
            bundles.push_back(*text);
        }
    }
    return bundles;
}

void write_bundles(const Profile& profile, const std::vector<std::string>& bundles) {
    Value::Array items{bundles.begin(), bundles.end()};
    write_atomically(
        profile.manifest_file, emit_yaml(Value{Object{{"bundles", Value{std::move(items)}}}})
    );
}

}  // namespace

Profile load_profile(const std::string& name, const fs::path& home) {
    Profile profile = describe(name, home);
    std::error_code unreadable;  // reading it says why
    if (!fs::exists(profile.manifest_file, unreadable) && !unreadable) {
        if (name != kShippedProfile) {
            const auto nearest = nearest_name(name, list_profiles(home));
            refuse(
                {},
                fmt::format("profile '{}'", name),
                fmt::format("there is no '{}'", profile.manifest_file.string()),
                nearest ? fmt::format(
                              "Perhaps '{}' is meant; `cordon profile init {}` makes a new one",
                              *nearest,
                              name
                          )
                        : fmt::format("`cordon profile init {}` makes it", name)
            );
        }
        static_cast<void>(init_profile(name, home));
    }
    profile.bundles = read_bundles(profile.manifest_file);
    return profile;
}

std::vector<fs::path> init_profile(const std::string& name, const fs::path& home) {
    const Profile profile = describe(name, home);
    std::vector<fs::path> made;
    const std::pair<fs::path, std::string_view> files[] = {
        {profile.manifest_file, kTemplate}, {profile.patch_files.front(), kEmptyPatch}};
    for (const auto& [file, text] : files) {
        std::error_code unreadable;
        if (!fs::exists(file, unreadable) && !unreadable) {
            write_atomically(file, text);
            made.push_back(file);
        }
    }
    return made;
}

std::vector<std::string> list_profiles(const fs::path& home) {
    std::vector<std::string> names;
    std::error_code unreadable;  // a folder that cannot be listed holds none
    for (const auto& entry : fs::directory_iterator{home / "profiles", unreadable}) {
        if (fs::exists(entry.path() / kManifestName, unreadable)) {
            names.push_back(entry.path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool add_bundle(const Profile& profile, const std::string& bundle) {
    std::vector<std::string> bundles = profile.bundles;
    if (std::find(bundles.begin(), bundles.end(), bundle) != bundles.end()) {
        return false;
    }
    // Said now rather than at the next start.
    static_cast<void>(load_bundle(bundle_specifier(profile, bundle), bundle_search_path(profile)));
    bundles.push_back(bundle);
    write_bundles(profile, bundles);
    return true;
}

bool remove_bundle(const Profile& profile, const std::string& bundle) {
    std::vector<std::string> bundles = profile.bundles;
    if (std::erase(bundles, bundle) == 0) {
        return false;
    }
    write_bundles(profile, bundles);
    return true;
}

std::vector<fs::path> bundle_search_path(const Profile& profile) {
    return {installed_layout().bundles, profile.bundle_folder};
}

std::string bundle_specifier(const Profile& profile, const std::string& bundle) {
    const bool is_relative = bundle.starts_with("./") || bundle.starts_with("../");
    return is_relative ? (profile.folder / bundle).lexically_normal().string() : bundle;
}

}  // namespace cordon
