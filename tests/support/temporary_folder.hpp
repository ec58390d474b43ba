#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace cordon::testing {

/// A fresh folder that is removed at the end of the test.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::filesystem::path& parent = "/var/tmp") {
        std::string pattern = parent / "cordon-test-XXXXXX";
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error{"mkdtemp failed in " + parent.string()};
        }
        path_ = pattern;
    }

    ~TemporaryFolder() {
        std::error_code ignored;  // a test that made files unremovable says so by itself
        std::filesystem::remove_all(path_, ignored);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Writes a file below the folder, with the folders it needs, and returns its path.
    std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream{file, std::ios::binary} << text;
        return file;
    }

private:
    std::filesystem::path path_;
};

/// The whole content of a file; empty where it cannot be read.
inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return std::string{std::istreambuf_iterator<char>{stream}, {}};
}

}  // namespace cordon::testing
