#include <cordon/context/service.hpp>

namespace cordon {

Service::~Service() = default;

}  // namespace cordon
