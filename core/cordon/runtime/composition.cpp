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

std::vector<std::filesystem::path> plugin_search_path(const CompositionOptions& options) {
    std::vector<std::filesystem::path> path = options.plugin_path;
    if (const auto found = options.environment.find("CORDON_PLUGIN_PATH");
        found != options.environment.end()) {
        const auto folders = split_path_list(found->second);
        path.insert(path.end(), folders.begin(), folders.end());
    }
    path.push_back(installed_layout().plugins);
    return path;
}

Layer read_layer(const std::filesystem::path& file) {
    const std::string label = std::filesystem::absolute(file).lexically_normal();
    return make_layer(label, file, read_yaml(file));
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
    return std::filesystem::absolute(file).lexically_normal().parent_path();
}

}  // namespace

const InstalledLayout& installed_layout() {
    static const InstalledLayout kLayout = find_layout();
    return kLayout;
}

ComposedDeployment compose_deployment(const CompositionOptions& options) {
    const std::vector<std::filesystem::path> bundle_path{installed_layout().bundles};
    const Bundle base = load_bundle(std::string{kBaseBundle}, bundle_path);
    std::vector<Bundle> bundles;
    if (options.bundles) {
        for (const std::string& name : *options.bundles) {
            bundles.push_back(load_bundle(name, bundle_path));
        }
    } else if (!options.config) {
        bundles.push_back(base);
    }

    ComposedDeployment deployment;
    deployment.plugin_path = plugin_search_path(options);
    std::vector<Layer> layers;
    for (const Bundle& bundle : bundles) {
        layers.push_back(bundle.layer);
        deployment.aliases.insert(
            deployment.aliases.end(), bundle.aliases.begin(), bundle.aliases.end()
        );
        deployment.defaults.insert(bundle.defaults.begin(), bundle.defaults.end());
        deployment.base_folder = bundle.folder;
    }
    deployment.aliases.insert(deployment.aliases.end(), base.aliases.begin(), base.aliases.end());
    deployment.defaults.insert(base.defaults.begin(), base.defaults.end());
    for (const std::filesystem::path& patch : options.patches) {
        layers.push_back(read_layer(patch));
        deployment.base_folder = folder_of(patch);
    }
    Layer root{"(empty)", {}};
    if (options.config) {
        root = read_layer(*options.config);
        deployment.base_folder = folder_of(*options.config);
    }
    deployment.composition = compose(root, layers);
    return deployment;
}

}  // namespace cordon
