#include <cordon/process/program.hpp>

#include <system_error>

#include <unistd.h>

namespace cordon {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
    std::error_code ignored;  // what cannot be looked at cannot be executed
    return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<fs::path> find_programs(
    std::string_view name, std::string_view path, const fs::path& base
) {
    std::vector<fs::path> found;
    while (!name.empty()) {
        const std::size_t colon = path.find(':');
        // An empty element means the working directory.
        fs::path folder{path.substr(0, colon)};
        if (folder.is_relative()) {
            folder = base.empty() ? fs::path{} : base / folder;
        }
        if (!folder.empty() && is_program(folder / name)) {
            found.push_back(folder / name);
        }
        if (colon == std::string_view::npos) {
            break;
        }
        path.remove_prefix(colon + 1);
    }
    return found;
}

}  // namespace cordon
