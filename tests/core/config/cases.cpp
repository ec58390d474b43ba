#include "cases.hpp"

#include <cstdlib>

namespace cordon::testing {

std::optional<std::filesystem::path> cases_folder() {
    if (const char* named = std::getenv("CORDON_CASES")) {
        return std::filesystem::path{named};
    }
    const char* source = std::getenv("CORDON_TEST_SOURCE");
    if (source == nullptr) {
        return std::nullopt;
    }
    const std::filesystem::path beside =
        std::filesystem::path{source}.parent_path() / "shared" / "cases";
    return std::filesystem::is_directory(beside) ? std::optional{beside} : std::nullopt;
}

}  // namespace cordon::testing
