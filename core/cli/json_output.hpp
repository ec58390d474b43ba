#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

namespace cordon::cli {

[[nodiscard]] inline boost::json::array strings(const std::vector<std::string>& items) {
    return boost::json::array(items.begin(), items.end());
}

/// The one document of a command with `--json`, on a line of its own.
inline void print_document(const boost::json::object& document) {
    fmt::print("{}\n", boost::json::serialize(document));
}

}  // namespace cordon::cli
