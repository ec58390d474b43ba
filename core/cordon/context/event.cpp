#include <cordon/context/event.hpp>

namespace cordon {

std::string_view to_string(Dispatch mode) {
    switch (mode) {
        case Dispatch::emit:
            return "emit";
        case Dispatch::parallel:
            return "parallel";
        case Dispatch::serial:
            return "serial";
        case Dispatch::bail:
            return "bail";
        case Dispatch::waterfall:
            return "waterfall";
    }
    return "unknown";
}

}  // namespace cordon
