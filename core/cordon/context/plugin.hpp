#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/abi.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/schema.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/inject.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cordon {

class Context;

/// A plugin as plain data plus the function that starts it. Its identity is the address of the
/// descriptor (spec DIF-15): two descriptors never merge.
struct PluginDescriptor {
    std::string name;
    std::string version;
    /// Services that must be available before it starts, and whose loss stops it (spec INJ-2).
    Inject inject;
    /// Services it provides; what it may provide beyond this list is not checked, but the list is
    /// what diagnoses of waiting rows are made from.
    std::vector<std::string> provides;
    ConfigSchema schema;
    /// Runs on the strand, once per load, with the validated config. What it registers through the
    /// context is undone when the fiber unloads. Returning means "started".
    ///
    /// Cancellation: a disposal during the load cancels it (spec DIF-5).
    std::function<Task<>(Context context, Value config)> apply;
};

using PluginPtr = std::shared_ptr<const PluginDescriptor>;

/// What a plugin library shows to the loader under the symbol `cordon_plugin`. Plain data, so that
/// a wrong library is refused before anything in it is called.
struct PluginExport {
    std::uint32_t magic;
    std::uint32_t size;
    const char* abi_tag;
    /// Makes the descriptor; called once per load of the library. May throw.
    PluginPtr (*describe)();
};

inline constexpr std::uint32_t kPluginMagic = 0x43524450;  // "CRDP"

}  // namespace cordon

/// Exports a plugin from a shared object. `describe_function` has the signature
/// `cordon::PluginPtr describe()`. Use it once, at namespace scope, in the plugin's own source. The
/// ABI tag stands in a section of its own too, where the loader reads it without running any code.
#define CORDON_PLUGIN(describe_function)                                                 \
    extern "C" __attribute__((visibility("default"), used, section(CORDON_ABI_SECTION))) \
    const char cordon_plugin_abi[] = CORDON_ABI_TAG;                                     \
    extern "C" __attribute__((visibility("default"), used))                              \
    const ::cordon::PluginExport cordon_plugin {                                         \
        ::cordon::kPluginMagic, sizeof(::cordon::PluginExport), CORDON_ABI_TAG,          \
            &(describe_function)                                                         \
    }
