#include "commands.hpp"
#include "exit_code.hpp"
#include "json_output.hpp"

#include <cordon/base/error.hpp>
#include <cordon/config/json.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/runtime/composition.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <utility>

namespace cordon::cli {
namespace {

namespace json = boost::json;

ModuleResolver modules_of(const ComposedDeployment& deployment) {
    return ModuleResolver{deployment.aliases, deployment.plugin_path};
}

json::object describe_plugin(const LoadedPlugin& loaded) {
    const PluginDescriptor& plugin = *loaded.plugin;
    return json::object{
        {"name", plugin.name},
        {"version", plugin.version},
        {"file", loaded.file.string()},
        {"provides", strings(plugin.provides)},
        {"needs", strings(plugin.inject.names())}};
}

/// A plugin that cannot be opened is shown with the reason: the list is what there is.
int list(ModuleResolver& modules, const std::filesystem::path& base, bool as_json) {
    json::array shown;
    int status = 0;
    for (const std::string& name : modules.available()) {
        try {
            const LoadedPlugin loaded = modules.load(modules.resolve(name, base));
            const PluginDescriptor& plugin = *loaded.plugin;
            if (as_json) {
                shown.push_back(describe_plugin(loaded));
            } else {
                print_to(
                    stdout, "{}\t{}\t{}\n", name, plugin.version, fmt::join(plugin.provides, ", ")
                );
            }
        } catch (const Error& error) {
            status = kFailure;
            if (as_json) {
                shown.push_back(json::object{{"name", name}, {"error", error.message()}});
            } else {
                print_to(stderr, "cordon: {}\n", error.message());
            }
        }
    }
    if (as_json) {
        const json::object document{{"plugins", std::move(shown)}};
        print_document(document);
    }
    return status;
}

void show(const LoadedPlugin& loaded, bool as_json) {
    const PluginDescriptor& plugin = *loaded.plugin;
    const Value schema = plugin.schema.describe ? plugin.schema.describe() : Value{};
    if (as_json) {
        json::object document = describe_plugin(loaded);
        document["abi"] = CORDON_ABI_TAG;
        document["config"] = to_json(schema);
        print_document(document);
        return;
    }
    print_to(stdout, "name: {}\nversion: {}\n", plugin.name, plugin.version);
    print_to(stdout, "file: {}\nabi: {}\n", loaded.file.string(), CORDON_ABI_TAG);
    print_to(stdout, "provides: {}\n", fmt::join(plugin.provides, ", "));
    print_to(stdout, "needs: {}\n", fmt::join(plugin.inject.names(), ", "));
    if (schema.is_null()) {
        print_to(stdout, "config: anything, it is not checked\n");
    } else {
        const Value config{Object{{"config", schema}}};
        print_to(stdout, "{}", emit_yaml(config));
    }
}

}  // namespace

int plugins_command(const Options& options) {
    const ComposedDeployment deployment = compose_deployment(options.global.composition);
    ModuleResolver modules = modules_of(deployment);
    if (options.plugin.empty()) {
        return list(modules, deployment.base_folder, options.global.json);
    }
    const auto file = modules.resolve(options.plugin, std::filesystem::current_path());
    show(modules.load(file), options.global.json);
    return 0;
}

}  // namespace cordon::cli
