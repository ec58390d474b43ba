#include "following.hpp"

#include <cordon/context/internal_events.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fixtures/plugins/greeting.hpp>
#include <support/coroutine.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::Following;

namespace fs = std::filesystem;

namespace {

/// Edits between two states that are compared; the default is for every run of the tests.
constexpr int kEdits = 400;

int number_of_edits() {
    const char* wanted = std::getenv("CORDON_STORM_EDITS");
    return wanted == nullptr ? kEdits : std::stoi(wanted);
}

std::size_t open_descriptors() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator{"/proc/self/fd"}) {
        ++count;
    }
    return count;
}

/// Copies of plugins that are mapped, each counted once.
std::size_t mapped_copies() {
    std::ifstream maps{"/proc/self/maps"};
    std::set<std::string> copies;
    for (std::string line; std::getline(maps, line);) {
        const std::size_t at = line.find("/cordon-plugin-");
        if (at != std::string::npos) {
            copies.insert(line.substr(at));
        }
    }
    return copies.size();
}

/// What the files say, and random edits of it.
class Storm {
public:
    explicit Storm(Following& following) : f_(following) {}

    /// A composition in which every row has the tag, and `provider` is the row that greets.
    void write_good(const std::string& tag, bool is_calm = false) {
        const bool by_library = !is_calm && random_() % 2 == 0;
        const std::string provider = is_calm || random_() % 2 == 0 ? "p" : "q";
        const std::string plugin = by_library ? "./greet.so" : "provides_greeting";
        const std::string row = "- {id: t, name: tracer, config: {tag: t}}";
        f_.replace(
            "cordis.yml",
            "- {id: " + provider + ", name: " + plugin + ", config: {text: " + tag + "}}\n" +
                "- {id: n, name: needs_greeting}\n"
                "- {id: i, name: 'cordis:include', config: {path: rows.yml}}\n" +
                (is_calm ? row + "\n" : grouped(row))
        );
        f_.replace("rows.yml", "- {id: a, name: tracer, config: {tag: a}}\n");
        f_.replace(
            "patch.yml", "- insert: [{id: end, name: tracer, config: {tag: " + tag + "}}]\n"
        );
    }

    void edit() {
        static const std::vector<std::string> kFiles{"cordis.yml", "rows.yml", "patch.yml"};
        const std::string& name = kFiles[random_() % kFiles.size()];
        const fs::path file = f_.folder.path() / name;
        const std::string text = testing::read_file(file);
        switch (random_() % 12) {
            case 0:
                f_.folder.write(name, text.substr(0, random_() % (text.size() + 1)));
                break;
            case 1:
                fs::remove(file);
                break;
            case 2:
                std::rename(file.c_str(), (file.string() + ".away").c_str());
                break;
            case 3:
                f_.replace(name, text + "- {id: bad, name: throws_in_start}\n");
                break;
            case 4:
                f_.replace(name, text + "- {id: none, name: no-such}\n");
                break;
            case 5:
                f_.replace(name, "not: a list\n");
                break;
            case 6:
                f_.folder.write(name, text + "\n# a comment\n");
                break;
            case 7:
                f_.replace(
                    "rows.yml", "- {id: a, name: tracer, config: {tag: other}}\n- {name: tracer}\n"
                );
                break;
            case 8:
                replace_library();
                break;
            default:
                write_good("w" + std::to_string(random_() % 5));
        }
    }

    [[nodiscard]] std::size_t libraries_written() const { return libraries_written_; }

private:
    std::string grouped(const std::string& row) {
        return random_() % 2 == 0 ? row + "\n"
                                  : "- id: g\n  name: cordis:group\n  config:\n    " + row + "\n";
    }

    /// Not in every round: the old code stays mapped.
    void replace_library() {
        if (random_() % 10 != 0) {
            return;
        }
        const fs::path fixtures{CORDON_FIXTURE_PLUGINS};
        const bool is_good = random_() % 3 != 0;
        ++libraries_written_;
        f_.replace(
            "greet.so",
            is_good ? testing::read_file(fixtures / "provides_greeting.so") : "no library"
        );
        if (!is_good) {
            f_.replace("greet.so", testing::read_file(fixtures / "provides_greeting.so"));
        }
    }

    Following& f_;
    std::size_t libraries_written_ = 0;
    std::mt19937 random_{20261130};
};

std::string greeting(const Following& f) {
    const auto service = f.runtime->context().get<fixtures::Greeting>();
    return service ? service->text() : "nobody";
}

/// What must be the same before and after.
struct Holdings {
    std::size_t descriptors = 0;
    std::size_t folders = 0;
    int fibers = 0;
};

Task<Holdings> calm(Following& f, Storm& storm, const std::string& tag, const int& fibers) {
    storm.write_good(tag, true);
    co_await f.logged("apply " + tag);
    co_await f.runtime->caught_up();
    CHECK(f.states() == "p:active n:active i:active i:a:active t:active end:active");
    CHECK(greeting(f) == tag);
    co_return Holdings{open_descriptors(), f.runtime->watched_folders(), fibers};
}

Task<> storm(Following& f) {
    Storm storm{f};
    fs::copy_file(
        fs::path{CORDON_FIXTURE_PLUGINS} / "provides_greeting.so", f.folder.path() / "greet.so"
    );
    storm.write_good("first", true);
    f.options.composition.patches = {f.folder.path() / "patch.yml"};
    co_await f.boot();
    // The listener outlives this function.
    const auto fibers = std::make_shared<int>(0);
    f.runtime->context().on<PluginEvent>(
        [fibers](const FiberPtr& fiber) { *fibers += fiber->uid() ? 1 : -1; },
        ListenerOptions{.global = true}
    );
    const Holdings before = co_await calm(f, storm, "calm", *fibers);
    const std::size_t copies = mapped_copies();

    const int edits = number_of_edits();
    for (int round = 0, done = 0; done < edits; ++round) {
        for (int burst = 0; burst < 1 + round % 7; ++burst, ++done) {
            storm.edit();
        }
        const std::string tag = "round" + std::to_string(round);
        storm.write_good(tag);
        co_await f.logged("apply " + tag);
        co_await f.runtime->caught_up();
        const std::string states = f.states();
        REQUIRE(states.find("failed") == std::string::npos);
        REQUIRE(states.find("pending") == std::string::npos);
        REQUIRE(states.find("none") == std::string::npos);
        REQUIRE(greeting(f) == tag);
        f.forget_log();
    }

    const Holdings after = co_await calm(f, storm, "calm-again", *fibers);
    CHECK(after.descriptors == before.descriptors);
    CHECK(after.folders == before.folders);
    CHECK(after.fibers == before.fibers);
    // Of every new library one copy stays, and no other: greet.so and throws_in_start come in late.
    CHECK(mapped_copies() <= copies + 2 + storm.libraries_written());
}

}  // namespace

TEST_SUITE("a storm of edits") {
    TEST_CASE("leaves the last valid tree running and nothing behind") {
        testing::run([] { return testing::follow(&storm); }, std::chrono::minutes{30});
    }
}
