#include <cordon/runtime/runtime.hpp>

namespace cordon {

Runtime::~Runtime() = default;

}  // namespace cordon
