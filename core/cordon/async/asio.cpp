// The one place where Asio's sources are compiled; see cordon_asio in CordonTargets.cmake.
#include <boost/asio/impl/src.hpp>
