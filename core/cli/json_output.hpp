#pragma once

#include "output.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace cordon::cli {

[[nodiscard]] inline boost::json::array strings(const std::vector<std::string>& items) {
    return boost::json::array(items.begin(), items.end());
}

/// The one document of a command with `--json`, on a line of its own.
inline void print_document(const boost::json::object& document) {
    print_to(stdout, "{}\n", boost::json::serialize(document));
}

}  // namespace cordon::cli
