#include <cordon/base/error.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/bundle.hpp>
#include <cordon/runtime/composition.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include <dlfcn.h>

namespace cordon {
namespace {

constexpr std::string_view kBaseBundle = "base";

/// An address in libcordon, to ask the linker for the library's file.
const char kInsideLibrary = 0;

InstalledLayout find_layout() {
    Dl_info library{};
    if (::dladdr(&kInsideLibrary, &library) == 0 || library.dli_fname == nullptr) {
        throw Error{"the file of libcordon cannot be found", "INTERNAL"};
    }
    const auto folder = std::filesystem::canonical(library.dli_fname).parent_path();
    return InstalledLayout{
        folder / "cordon" / "plugins",
        (folder / CORDON_DATA_FROM_LIBRARY / "bundles").lexically_normal()};
}

std::vector<std::filesystem::path> split_path_list(std::string_view list) {
    std::vector<std::filesystem::path> folders;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(':'), list.size());
        if (end > 0) {
            folders.emplace_back(list.substr(0, end));
        }
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return folders;
}

std::filesystem::path normal_path(const std::filesystem::path& file) {
    return std::filesystem::absolute(file).lexically_normal();
}

/// Reads a composition, or reads it again.
class Reader {
public:
    Reader(const CompositionOptions& options, const Recomposition* again)
        : options_(options), again_(again) {}

    [[nodiscard]] ComposedDeployment read();

private:
    [[nodiscard]] Bundle bundle(
        const std::string& name, const std::vector<std::filesystem::path>& search_path
    );
    void add_bundle(const std::string& name, const std::vector<std::filesystem::path>& search_path);
    void add_profile();
    [[nodiscard]] Layer layer(const std::filesystem::path& file, bool is_optional = false);
    [[nodiscard]] std::vector<std::filesystem::path> plugin_search_path() const;

    [[nodiscard]] bool is_frozen(const std::filesystem::path& file) const {
        return again_ != nullptr && again_->is_frozen(file);
    }

    const CompositionOptions& options_;
    const Recomposition* again_;
    ComposedDeployment made_;
    std::vector<Layer> layers_;
};

Bundle Reader::bundle(
    const std::string& name, const std::vector<std::filesystem::path>& search_path
) {
    if (again_ != nullptr) {
        const auto known = again_->previous.bundles.find(name);
        const bool is_known = known != again_->previous.bundles.end();
        if (is_known &&
            (is_frozen(known->second.manifest_file) || is_frozen(known->second.patch_file))) {
            return known->second;
        }
    }
    return load_bundle(name, search_path);
}

void Reader::add_bundle(
    const std::string& name, const std::vector<std::filesystem::path>& search_path
) {
    const auto [known, is_new] = made_.bundles.try_emplace(name);
    if (!is_new) {
        return;
    }
    known->second = bundle(name, search_path);
    const Bundle& added = known->second;
    layers_.push_back(added.layer);
    made_.aliases.insert(made_.aliases.end(), added.aliases.begin(), added.aliases.end());
    made_.defaults.insert(added.defaults.begin(), added.defaults.end());
    made_.base_folder = added.folder;
}

void Reader::add_profile() {
    made_.profile = again_ != nullptr
                        ? again_->previous.profile
                        : load_profile(*options_.profile, home_folder(options_.environment));
    const Profile& profile = *made_.profile;
    for (const std::string& name : profile.bundles) {
        add_bundle(bundle_specifier(profile, name), bundle_search_path(profile));
    }
    for (const std::filesystem::path& file : profile.patch_files) {
        layers_.push_back(layer(file, true));
    }
    made_.base_folder = profile.folder;
}

Layer Reader::layer(const std::filesystem::path& file, bool is_optional) {
    const std::filesystem::path path = normal_path(file);
    Layer layer;
    std::error_code unreadable;  // reading it says why
    const bool is_absent = !std::filesystem::exists(path, unreadable) && !unreadable;
    const auto known = again_ == nullptr ? made_.layers.end() : again_->previous.layers.find(path);
    if (again_ != nullptr && known != again_->previous.layers.end() && is_frozen(path)) {
        layer = known->second;
    } else if (is_optional && is_absent) {
        layer = Layer{path.string(), {}};
    } else {
        layer = make_layer(path.string(), file, read_yaml(file));
    }
    made_.layers.insert_or_assign(path, layer);
    return layer;
}

std::vector<std::filesystem::path> Reader::plugin_search_path() const {
    std::vector<std::filesystem::path> path = options_.plugin_path;
    if (const auto found = options_.environment.find("CORDON_PLUGIN_PATH");
        found != options_.environment.end()) {
        const auto folders = split_path_list(found->second);
        path.insert(path.end(), folders.begin(), folders.end());
    }
    if (made_.profile) {
        path.push_back(made_.profile->plugins);
    }
    for (const auto& [name, added] : made_.bundles) {
        if (!added.plugins.empty()) {
            path.push_back(added.plugins);
        }
    }
    path.push_back(installed_layout().plugins);
    return path;
}

ComposedDeployment Reader::read() {
    const std::vector<std::filesystem::path> installed{installed_layout().bundles};
    const std::string base{kBaseBundle};
    if (options_.profile) {
        add_profile();
    }
    if (options_.bundles) {
        for (const std::string& name : *options_.bundles) {
            add_bundle(name, installed);
        }
    } else if (!options_.config && !options_.profile) {
        add_bundle(base, installed);
    }
    // Known in any case: compositions may stand alone and still use its names.
    const Bundle known = bundle(base, installed);
    made_.aliases.insert(made_.aliases.end(), known.aliases.begin(), known.aliases.end());
    made_.defaults.insert(known.defaults.begin(), known.defaults.end());

    for (const std::filesystem::path& patch : options_.patches) {
        layers_.push_back(layer(patch));
        made_.base_folder = normal_path(patch).parent_path();
    }
    Layer root{"(empty)", {}};
    if (options_.config) {
        root = layer(*options_.config);
        made_.base_folder = normal_path(*options_.config).parent_path();
    }
    made_.plugin_path = plugin_search_path();
    made_.composition = compose(root, layers_);
    return std::move(made_);
}

}  // namespace

const InstalledLayout& installed_layout() {
    static const InstalledLayout kLayout = find_layout();
    return kLayout;
}

std::set<std::filesystem::path> ComposedDeployment::files() const {
    std::set<std::filesystem::path> all;
    for (const auto& [file, layer] : layers) {
        all.insert(file);
    }
    for (const auto& [name, bundle] : bundles) {
        all.insert(bundle.manifest_file);
        all.insert(bundle.patch_file);
    }
    return all;
}

ComposedDeployment compose_deployment(const CompositionOptions& options) {
    return Reader{options, nullptr}.read();
}

ComposedDeployment recompose_deployment(
    const CompositionOptions& options, const Recomposition& again
) {
    return Reader{options, &again}.read();
}

}  // namespace cordon
