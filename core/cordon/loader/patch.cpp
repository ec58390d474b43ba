#include <cordon/loader/patch.hpp>
