#include <cordon/context/event.hpp>

namespace cordon {

Listener::~Listener() = default;

}  // namespace cordon
