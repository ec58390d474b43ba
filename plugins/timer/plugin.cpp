#include <cordon/context/plugin.hpp>
#include <cordon/context/timer.hpp>

namespace cordon::timer {
namespace {

PluginPtr describe() {
    return timer_plugin();
}

}  // namespace
}  // namespace cordon::timer

CORDON_PLUGIN(cordon::timer::describe);
