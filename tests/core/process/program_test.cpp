#include <cordon/process/program.hpp>

#include <doctest/doctest.h>

#include <support/temporary_folder.hpp>

namespace {

namespace fs = std::filesystem;

fs::path write_program(const cordon::testing::TemporaryFolder& folder, const fs::path& name) {
    const fs::path file = folder.write(name, "#!/bin/sh\n");
    fs::permissions(file, fs::perms::owner_all);
    return file;
}

}  // namespace

TEST_SUITE("find_programs") {
    TEST_CASE("gives every match in the order of PATH and skips what cannot be executed") {
        const cordon::testing::TemporaryFolder folder;
        folder.write("plain/tool", "not executable");
        fs::create_directories(folder.path() / "directory/tool");
        const fs::path first = write_program(folder, "first/tool");
        const fs::path second = write_program(folder, "second/tool");
        const std::string root = folder.path().string();

        const auto found = cordon::find_programs(
            "tool", root + "/plain:" + root + "/directory:" + root + "/first:" + root + "/second"
        );

        CHECK(found == std::vector<fs::path>{first, second});
    }

    TEST_CASE("takes relative and empty folders from the base") {
        const cordon::testing::TemporaryFolder folder;
        const fs::path here = write_program(folder, "tool");
        const fs::path below = write_program(folder, "bin/tool");
        const auto found = cordon::find_programs("tool", "bin:", folder.path());
        REQUIRE(found.size() == 2);
        CHECK(fs::equivalent(found[0], below));
        CHECK(fs::equivalent(found[1], here));
    }

    TEST_CASE("skips relative folders without a base") {
        CHECK(cordon::find_programs("sh", "bin::.").empty());
    }

    TEST_CASE("an empty name is no program") {
        CHECK(cordon::find_programs("", "/bin").empty());
    }
}
