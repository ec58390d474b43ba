#include "following.hpp"

#include <cordon/base/error.hpp>
#include <cordon/runtime/follow_events.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <support/coroutine.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::follow;
using testing::Following;

namespace {

std::string tracer(const std::string& id, const std::string& tag) {
    return "- {id: " + id + ", name: tracer, config: {tag: " + tag + "}}\n";
}

}  // namespace

TEST_SUITE("a deployment that follows its files") {
    CO_TEST_CASE(
        "takes over a good edit and keeps the last good rows after a bad one (TRC-L4, "
        "HMR-4, HMR-6)"
    ) {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("cordis.yml", tracer("a", "a1") + tracer("b", "b1"));
            co_await f.boot();

            f.replace("cordis.yml", tracer("a", "a2") + tracer("b", "b1"));
            co_await f.logged("dispose a1");
            co_await f.logged("apply a2");
            f.folder.write("cordis.yml", "- {id: a");
            co_await f.logged("config reload at " + (f.folder.path() / "cordis.yml").string());
            f.folder.write("cordis.yml", tracer("a", "a3") + "- {id: x, name: no-such}\n");
            co_await f.logged("failed to import loader entry x (no-such)");
            CHECK(f.states() == "a:active b:active");
            f.folder.write("cordis.yml", tracer("a", "a4"));
            co_await f.logged("apply a4");
            co_await f.logged("dispose b1");

            CHECK(f.count("apply a3") == 0);
            CHECK(f.count("config reload at") == 2);
        });
    }

    CO_TEST_CASE(
        "is followed once it has booted, and tells nothing of what was there (HMR-2, "
        "HMR-3)"
    ) {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("cordis.yml", tracer("a", "a1"));
            co_await f.boot();
            CHECK(f.runtime->watched_folders() > 0);
            co_await f.runtime->caught_up();
            CHECK(f.count("apply a1") == 1);
            CHECK(f.log.size() == 1);
        });
    }

    CO_TEST_CASE("keeps its rows when a file goes, and follows it when it returns (HMR-7)") {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("cordis.yml", tracer("a", "a1"));
            co_await f.boot();
            std::filesystem::remove(f.folder.path() / "cordis.yml");
            co_await f.logged("config reload at");
            CHECK(f.states() == "a:active");
            f.folder.write("cordis.yml", tracer("a", "a2"));
            co_await f.logged("apply a2");
        });
    }

    CO_TEST_CASE("reports a failure once, as an event too, and survives its observers (HMR-6)") {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("cordis.yml", tracer("a", "a1"));
            co_await f.boot();
            const Context root = f.runtime->context();
            root.on<ConfigUpdateFailedEvent>(
                [root](const std::filesystem::path& file, const Error& error) -> Task<> {
                    root.log(LogLevel::info, "told of " + file.filename().string());
                    throw Error{"an observer of " + error.code()};
                    co_return;
                }
            );
            f.folder.write("cordis.yml", "a: 1\n");
            co_await f.logged("told of cordis.yml");
            co_await f.logged("an observer of hmr/config-update-failed failed");
            f.folder.write("cordis.yml", "a: 1\n");
            f.folder.write("cordis.yml", tracer("a", "a2"));
            co_await f.logged("apply a2");
            CHECK(f.count("config reload at") == 1);
        });
    }

    CO_TEST_CASE("follows included files, and layers that are not there yet (HMR-8, HMR-12)") {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("home/profiles/p/profile.yml", "bundles: []\n");
            f.folder.write("inc/rows.yml", tracer("a", "a1"));
            f.options.composition.environment["CORDON_HOME"] = f.folder.path() / "home";
            f.options.composition.profile = "p";
            co_await f.boot();
            CHECK(f.states() == "");

            const std::string include = (f.folder.path() / "inc/rows.yml").string();
            f.folder.write(
                "home/profiles/p/cordis.patch.yml",
                "- insert: [{id: i, name: 'cordis:include', config: {path: " + include + "}}]\n"
            );
            co_await f.logged("apply a1");
            f.replace("inc/rows.yml", tracer("a", "a2"));
            co_await f.logged("apply a2");
            f.folder.write("home/cordis.patch.yml", "- insert:\n    " + tracer("h", "h1"));
            co_await f.logged("apply h1");
            std::filesystem::remove(f.folder.path() / "home/cordis.patch.yml");
            co_await f.logged("dispose h1");
            co_await f.runtime->caught_up();
            CHECK(f.states() == "i:active i:a:active");
        });
    }

    CO_TEST_CASE("follows a link to another place (HMR-10)") {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("one/rows.yml", tracer("a", "one"));
            f.folder.write("two/rows.yml", tracer("a", "two"));
            std::filesystem::create_directory_symlink("one", f.folder.path() / "current");
            std::filesystem::create_symlink("current/rows.yml", f.folder.path() / "cordis.yml");
            co_await f.boot();
            std::filesystem::create_directory_symlink("two", f.folder.path() / "next");
            std::filesystem::rename(f.folder.path() / "next", f.folder.path() / "current");
            co_await f.logged("apply two");
            f.replace("two/rows.yml", tracer("a", "three"));
            co_await f.logged("apply three");
        });
    }

    CO_TEST_CASE("ends with the last of many edits (HMR-5, HMR-14, HMR-26, PIT-L22)") {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("cordis.yml", tracer("a", "a0"));
            co_await f.boot();
            for (int i = 1; i <= 50; ++i) {
                f.replace("cordis.yml", tracer("a", "a" + std::to_string(i)));
            }
            co_await f.logged("apply a50");
            CHECK(f.count("apply ") < 20);
        });
    }

    CO_TEST_CASE(
        "does not follow what confined commands may write to, nor reads it again with the "
        "rest"
    ) {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("cordis.yml", tracer("a", "a1"));
            const auto weak =
                f.folder.write("workspace/p.yml", "- insert:\n    " + tracer("b", "b1"));
            const auto link = f.folder.path() / "link.yml";
            std::filesystem::create_symlink("workspace/p.yml", link);
            f.options.composition.patches = {link};
            f.options.watch->writable_roots = {f.folder.path() / "workspace"};
            co_await f.boot();
            CHECK(
                f.count("'" + link.string() + "' is not followed, because confined commands") == 1
            );

            f.replace("workspace/p.yml", "- insert:\n    " + tracer("b", "weaker"));
            f.replace("cordis.yml", tracer("a", "a2"));
            co_await f.logged("apply a2");
            co_await f.runtime->caught_up();

            CHECK(f.count("weaker") == 0);
            CHECK(f.states() == "a:active b:active");
        });
    }

    CO_TEST_CASE("ends while a change is being taken over (HMR-11, DIF-L10, PIT-L9)") {
        co_await follow([](Following& f) -> Task<> {
            f.folder.write("cordis.yml", tracer("a", "a1"));
            co_await f.boot();
            f.replace("cordis.yml", "- {id: slow, name: never_ready}\n");
            f.replace("cordis.yml", tracer("a", "a1") + "- {id: slow, name: never_ready}\n");
            co_await f.logged("started never_ready");
            co_await f.runtime->shutdown();
            CHECK(f.count("rollback") == 0);
        });
    }
}

TEST_SUITE("plugins of a deployment that follows its files") {
    CO_TEST_CASE(
        "are reloaded with what needs them when their library changes (HMR-13, HMR-19, "
        "HMR-21, HMR-22, HMR-23)"
    ) {
        co_await follow([](Following& f) -> Task<> {
            const std::filesystem::path library = f.folder.path() / "greet.so";
            const std::filesystem::path fixtures{CORDON_FIXTURE_PLUGINS};
            std::filesystem::copy_file(fixtures / "provides_greeting.so", library);
            f.folder.write(
                "cordis.yml",
                "- {id: p, name: ./greet.so, config: {text: !!js '\"a\" + \"b\"'}}\n"
                "- {id: n, name: needs_greeting}\n" +
                    tracer("t", "t1")
            );
            co_await f.boot();
            const PluginPtr before = f.runtime->tree().rows()[0].plugin;
            const auto untouched = f.runtime->tree().rows()[2].fiber->uid();
            const std::string text = testing::read_file(f.folder.path() / "cordis.yml");

            // In place: what is mapped is a private copy.
            std::filesystem::copy_file(
                fixtures / "provides_greeting.so",
                library,
                std::filesystem::copy_options::overwrite_existing
            );
            co_await f.logged("stopped needs_greeting");
            co_await f.logged("stopped provides_greeting");
            co_await f.logged("started provides_greeting");
            co_await f.logged("started needs_greeting");
            co_await f.logged("reloaded the plugins of p");

            CHECK(f.runtime->tree().rows()[0].plugin != before);
            CHECK(f.runtime->tree().rows()[2].fiber->uid() == untouched);
            CHECK(f.states() == "p:active n:active t:active");
            CHECK(testing::read_file(f.folder.path() / "cordis.yml") == text);
        });
    }

    CO_TEST_CASE("run on with the old code where the new one is no plugin (HMR-18, TRC-L5)") {
        co_await follow([](Following& f) -> Task<> {
            const std::filesystem::path fixtures{CORDON_FIXTURE_PLUGINS};
            for (const char* name : {"a.so", "b.so"}) {
                std::filesystem::copy_file(fixtures / "tracer.so", f.folder.path() / name);
            }
            f.folder.write(
                "cordis.yml",
                "- {id: a, name: ./a.so, config: {tag: a}}\n- {id: b, name: ./b.so, config: {tag: "
                "b}}\n"
            );
            co_await f.boot();
            const std::string whole = testing::read_file(fixtures / "tracer.so");
            f.replace("a.so", "no library");
            co_await f.logged("it is no ELF file");
            CHECK(f.states() == "a:active b:active");
            f.replace("b.so", whole);
            f.replace("a.so", whole);
            co_await f.logged("reloaded the plugins of a, b");
            CHECK(f.count("dispose ") == 2);
        });
    }

    CO_TEST_CASE("run on with the old code where the new one fails to start (HMR-20, DIF-L9)") {
        co_await follow([](Following& f) -> Task<> {
            const std::filesystem::path fixtures{CORDON_FIXTURE_PLUGINS};
            std::filesystem::copy_file(fixtures / "tracer.so", f.folder.path() / "a.so");
            f.folder.write("cordis.yml", "- {id: a, name: ./a.so, config: {tag: a}}\n");
            co_await f.boot();
            f.replace("a.so", testing::read_file(fixtures / "throws_in_start.so"));
            co_await f.logged("dispose a");
            co_await f.logged("stopped throws_in_start");
            co_await f.logged("apply a");
            co_await f.logged("the start went wrong");
            CHECK(f.states() == "a:active");
            // An edit of something else is not held up by it.
            f.replace("cordis.yml", "- {id: a, name: ./a.so, config: {tag: a2}}\n");
            co_await f.logged("apply a2");
        });
    }
}
