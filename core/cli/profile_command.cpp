#include "commands.hpp"
#include "json_output.hpp"

#include <cordon/base/error.hpp>
#include <cordon/runtime/home.hpp>
#include <cordon/runtime/profile.hpp>

#include <cstdio>
#include <utility>

namespace cordon::cli {
namespace {

namespace json = boost::json;

void list(const std::filesystem::path& home, bool as_json) {
    json::array profiles;
    for (const std::string& name : list_profiles(home)) {
        const Profile profile = load_profile(name, home);
        if (as_json) {
            profiles.push_back(json::object{
                {"name", name},
                {"folder", profile.folder.string()},
                {"bundles", strings(profile.bundles)}});
        } else {
            print_to(stdout, "{}\t{}\n", name, fmt::join(profile.bundles, ", "));
        }
    }
    if (as_json) {
        const json::object document{{"profiles", std::move(profiles)}};
        print_document(document);
    }
}

void init(const std::filesystem::path& home, const std::string& name) {
    const auto made = init_profile(name, home);
    for (const std::filesystem::path& file : made) {
        print_to(stdout, "made {}\n", file.string());
    }
    if (made.empty()) {
        print_to(stdout, "profile '{}' is there already\n", name);
    }
}

}  // namespace

int profile_command(const Options& options) {
    const ProfileCommand& asked = options.profile;
    const auto home = home_folder(options.global.composition.environment);
    switch (asked.action) {
        case ProfileCommand::Action::list:
            list(home, options.global.json);
            break;
        case ProfileCommand::Action::init:
            init(home, asked.name);
            break;
        case ProfileCommand::Action::add_bundle:
            if (!add_bundle(load_profile(asked.name, home), asked.bundle)) {
                print_to(stdout, "'{}' lists the bundle '{}' already\n", asked.name, asked.bundle);
            }
            break;
        case ProfileCommand::Action::remove_bundle:
            if (!remove_bundle(load_profile(asked.name, home), asked.bundle)) {
                throw Error{
                    fmt::format(
                        "profile '{}' does not list the bundle '{}'", asked.name, asked.bundle
                    ),
                    "BUNDLE_NOT_LISTED"};
            }
            break;
    }
    return 0;
}

}  // namespace cordon::cli
