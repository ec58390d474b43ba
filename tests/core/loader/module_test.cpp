#include "layers.hpp"

#include <cordon/base/abi.hpp>
#include <cordon/base/error.hpp>
#include <cordon/loader/module.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <support/temporary_folder.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::contains;
using testing::TemporaryFolder;

namespace {

const std::filesystem::path kFixtures{CORDON_FIXTURE_PLUGINS};

template <typename Call>
std::string failure_of(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.message();
    }
    return "nothing failed";
}

std::string load_failure(const std::filesystem::path& file) {
    ModuleResolver modules{{}, {}};
    return failure_of([&] { static_cast<void>(modules.load(file)); });
}

std::string fixture_failure(const std::string& name) {
    return load_failure(kFixtures / (name + ".so"));
}

std::string resolve_failure(const ModuleResolver& modules, std::string_view specifier) {
    return failure_of([&] { static_cast<void>(modules.resolve(specifier, "/base")); });
}

}  // namespace

TEST_SUITE("ModuleResolver::canonical_name()") {
    TEST_CASE("takes the first alias that fits, and the rest of the name for the star") {
        const ModuleResolver modules{
            {{"@x/special", "other"}, {"@x/*", "*"}, {"@y/*", "plugin-*"}, {"@z/*", "one"}}, {}};

        CHECK(modules.canonical_name("@x/special") == "other");
        CHECK(modules.canonical_name("@x/sandbox-local") == "sandbox-local");
        CHECK(modules.canonical_name("@y/a") == "plugin-a");
        CHECK(modules.canonical_name("@z/a") == "one");
        CHECK(modules.canonical_name("@x/") == "@x/");
        CHECK(modules.canonical_name("plain") == "plain");
    }
}

TEST_SUITE("ModuleResolver::resolve()") {
    TEST_CASE("looks a name up along the search path, in order (LDR-11, BOOT-2)") {
        const TemporaryFolder folder;
        folder.write("one/b.so", "");
        folder.write("two/a.so", "");
        folder.write("two/b.so", "");
        const ModuleResolver modules{
            {{"@x/*", "*"}}, {folder.path() / "one", folder.path() / "two"}};

        CHECK(modules.resolve("a", "/base") == folder.path() / "two/a.so");
        CHECK(modules.resolve("@x/b", "/base") == folder.path() / "one/b.so");
        CHECK(modules.available() == std::vector<std::string>{"a", "b"});
    }

    TEST_CASE("takes relative and absolute paths and file URLs for files beside the composition") {
        const TemporaryFolder folder;
        const std::filesystem::path file = folder.write("sub/my plugin.so", "");
        const ModuleResolver modules{{}, {}};

        CHECK(modules.resolve("./my plugin.so", folder.path() / "sub") == file);
        CHECK(modules.resolve("../sub/my plugin.so", folder.path() / "sub") == file);
        CHECK(modules.resolve(file.string(), "/base") == file);
        CHECK(
            modules.resolve("file://" + (folder.path() / "sub/my%20plugin.so").string(), "/base") ==
            file
        );
    }

    TEST_CASE("names the places tried and the nearest plugin (field-155)") {
        const TemporaryFolder folder;
        folder.write("sandbox-local.so", "");
        const ModuleResolver modules{{}, {folder.path()}};

        const std::string failure = resolve_failure(modules, "sandbox-lokal");

        CHECK(contains(failure, "there is no plugin 'sandbox-lokal'"));
        CHECK(contains(failure, "tried " + (folder.path() / "sandbox-lokal.so").string()));
        CHECK(contains(failure, "perhaps 'sandbox-local' is meant"));
        CHECK(contains(resolve_failure({{}, {}}, "a"), "the plugin path is empty"));
    }

    TEST_CASE("names the file that is not there") {
        CHECK(resolve_failure({{}, {}}, "./none.so") == "there is no file '/base/none.so'");
    }

    TEST_CASE("does not let a name lead out of the plugin folders") {
        const TemporaryFolder folder;
        folder.write("secret.so", "");
        std::filesystem::create_directory(folder.path() / "plugins");
        const ModuleResolver modules{{{"@x/*", "*"}}, {folder.path() / "plugins"}};

        CHECK(contains(resolve_failure(modules, "@x/../secret"), "no name of a plugin"));
        CHECK(contains(resolve_failure(modules, "@x//etc/secret"), "no name of a plugin"));
        CHECK(contains(resolve_failure(modules, "file://host/secret.so"), "no URL of a local file")
        );
        CHECK(contains(resolve_failure(modules, "file:///a%2"), "no URL of a local file"));
        CHECK(contains(resolve_failure(modules, "file:///a%00b"), "no URL of a local file"));
    }
}

TEST_SUITE("ModuleResolver::load()") {
    TEST_CASE("opens a plugin and reads its description") {
        ModuleResolver modules{{}, {kFixtures}};

        const LoadedPlugin loaded = modules.load(modules.resolve("provides_greeting", "/"));

        CHECK(loaded.plugin->name == "provides_greeting");
        CHECK(loaded.plugin->provides == std::vector<std::string>{"greeting"});
        CHECK(loaded.file.filename() == "provides_greeting.so");
    }

    TEST_CASE("one file by two paths is one plugin (field-155)") {
        const TemporaryFolder folder;
        const auto link = folder.path() / "link.so";
        std::filesystem::create_symlink(kFixtures / "provides_greeting.so", link);
        ModuleResolver modules{{}, {}};

        CHECK(modules.load(link).plugin == modules.load(kFixtures / "provides_greeting.so").plugin);
    }

    TEST_CASE("what came out of a library works after the resolver is gone (field-153)") {
        PluginPtr plugin;
        {
            ModuleResolver modules{{}, {}};
            plugin = modules.load(kFixtures / "provides_greeting.so").plugin;
        }

        CHECK(plugin->schema.check(Value{Object{{"txt", 1}}}).size() == 1);
    }

    TEST_CASE("a second try after a failure fails the same way (field-155)") {
        ModuleResolver modules{{}, {}};
        const auto load = [&] {
            static_cast<void>(modules.load(kFixtures / "describe_throws.so"));
        };

        const std::string first = failure_of(load);

        CHECK(contains(first, "failed to describe itself: cannot describe myself"));
        CHECK(failure_of(load) == first);
    }

    TEST_CASE("a plugin for another ABI is refused unopened, with both tags (field-155)") {
        const std::string failure = fixture_failure("wrong_abi");

        CHECK(contains(failure, "wrong_abi.so' is built for another ABI"));
        CHECK(contains(failure, "It has: cordon=0 boost=103300"));
        CHECK(contains(failure, std::string{"Cordon has: "} + CORDON_ABI_TAG));
    }

    TEST_CASE("a text file, an empty file, a directory and a missing file are refused (field-155)"
    ) {
        const TemporaryFolder folder;

        CHECK(contains(load_failure(folder.write("a.so", "#!/bin/sh\n")), "it is no ELF file"));
        CHECK(contains(load_failure(folder.write("b.so", "")), "it is no ELF file"));
        CHECK(contains(load_failure(folder.path()), "is a directory"));
        CHECK(contains(load_failure(folder.path() / "none.so"), "No such file"));
    }

    TEST_CASE("a truncated library is refused at every length (field-155)") {
        const TemporaryFolder folder;
        const std::string whole = testing::read_file(kFixtures / "no_symbol.so");
        REQUIRE(whole.size() > 4096);

        for (const std::size_t length :
             {std::size_t{4},
              std::size_t{40},
              std::size_t{64},
              std::size_t{120},
              whole.size() / 2,
              whole.size() - 1}) {
            CAPTURE(length);
            const std::string failure =
                load_failure(folder.write("cut.so", std::string_view{whole}.substr(0, length)));
            CHECK(contains(failure, "is damaged"));
        }
    }

    TEST_CASE("a library for another machine is refused (field-155)") {
        const TemporaryFolder folder;
        std::string bytes = testing::read_file(kFixtures / "no_symbol.so");
        bytes[18] = '\x08';  // e_machine: MIPS
        bytes[19] = '\0';

        CHECK(contains(load_failure(folder.write("mips.so", bytes)), "is built for machine 8"));
    }

    TEST_CASE("a library that is no plugin is refused unopened") {
        CHECK(contains(
            load_failure(std::filesystem::path{CORDON_FIXTURE_FOREIGN}),
            "is no Cordon plugin: it has no section .cordon.abi"
        ));
    }

    TEST_CASE("a library with the section and without the export is refused (field-155)") {
        CHECK(contains(fixture_failure("no_symbol"), "does not export 'cordon_plugin'"));
    }

    TEST_CASE("the linker's own words say what is missing (field-155, field-156)") {
        CHECK(contains(
            fixture_failure("undefined_symbol"), "cordon_fixture_function_that_nobody_defines"
        ));
        CHECK(contains(fixture_failure("missing_dependency"), "libcordon-absent.so"));
    }

    TEST_CASE("a plugin that describes nothing is refused") {
        CHECK(contains(fixture_failure("describe_null"), "describes no plugin"));
    }
}
