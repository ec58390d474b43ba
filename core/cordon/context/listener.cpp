#include "context_node.hpp"
#include "effect_state.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/context.hpp>
#include <cordon/context/listener.hpp>

namespace cordon {

Listener::~Listener() = default;

bool Listener::is_within(const EventTarget& target) const {
    return target.accepts(Context{node_});
}

void Listener::retire() {
    if (const auto effect = effect_.lock()) {
        effect->start();
    }
}

}  // namespace cordon
