#include "live.hpp"

#include <cordon/loader/loader_events.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include <unistd.h>

#include <support/coroutine.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::contains;
using testing::failure_of;
using testing::keys;
using testing::Live;
using testing::row;
using testing::with_rows;

namespace {

void write(Live& live, std::string_view text) {
    live.folder.write("sub/rows.yml", text);
}

void prepare(Live& live) {
    write(live, "[{id: a, name: tracer, config: {tag: a1}}]");
}

constexpr const char* kInclude = "[{id: i, name: 'cordis:include', config: {path: sub/rows.yml}}]";

std::filesystem::path file_of(const Live& live) {
    return live.folder.path() / "sub/rows.yml";
}

/// What mounting an include of that config says.
Task<std::string> failure_with(std::string config) {
    co_return co_await failure_of(with_rows(
        "[{id: i, name: 'cordis:include', config: " + config + "}]",
        [](Live&) -> Task<> { co_return; }
    ));
}

}  // namespace

TEST_SUITE("an included file") {
    CO_TEST_CASE("is a tree of its own with prefixed ids (INC-1, LDR-1, LDR-5, LDR-6)") {
        co_await with_rows(kInclude, &prepare, [](Live& live) -> Task<> {
            CHECK(live.states() == "i:active i:a:active");
            co_await live.tree->update("i:a", keys("{config: {tag: a2}}"));
            CHECK(live.take_log() == "dispose a1; apply a2");
            const std::string failure = co_await failure_of(live.tree->remove("a"));
            CHECK(failure == "cannot resolve entry a");
            co_await live.tree->remove("i:a");
            CHECK(live.states() == "i:active");
        });
    }

    CO_TEST_CASE(
        "may hold another one, and rows by way of one are reached like others (PIT-L3, "
        "DIF-L12)"
    ) {
        co_await with_rows(
            kInclude,
            [](Live& live) {
                write(
                    live, "[{id: j, name: '@cordisjs/plugin-include', config: {path: deep.yml}}]"
                );
                live.folder.write("sub/deep.yml", "[{id: a, name: tracer}]");
            },
            [](Live& live) -> Task<> {
                CHECK(live.states() == "i:active i:j:active i:j:a:active");
                RowPlace inside;
                inside.group = "i:j";
                const std::string id =
                    co_await live.tree->create(row("{id: b, name: tracer}"), inside);
                CHECK(id == "i:j:b");
                co_await live.tree->remove("i:j:a");
                CHECK(live.states() == "i:active i:j:active i:j:b:active");
            }
        );
    }

    CO_TEST_CASE("has its own folder as base, for paths and for baseUrl (INC-3)") {
        co_await with_rows(
            kInclude,
            [](Live& live) {
                write(live, "[{id: p, name: provides_greeting, config: {text: !!js baseUrl}}]");
            },
            [](Live& live) -> Task<> {
                CHECK(live.greeting() == "file://" + (live.folder.path() / "sub/").string());
                co_return;
            }
        );
    }

    CO_TEST_CASE("keeps its own config literal (EXP-5)") {
        const std::string failure = co_await failure_with("{path: !!js \"'x.yml'\"}");
        CHECK(contains(failure, "expected the path of a file, found an expression"));
    }

    CO_TEST_CASE("is YAML or JSON by its extension (INC-2)") {
        co_await with_rows(
            "[{id: i, name: 'cordis:include', config: {path: rows.json}}]",
            [](Live& live) {
                live.folder.write("rows.json", R"([{"id": "a", "name": "tracer"}])");
            },
            [](Live& live) -> Task<> {
                CHECK(live.states() == "i:active i:a:active");
                co_return;
            }
        );
        const std::string failure = co_await failure_with("{path: rows.toml}");
        CHECK(contains(failure, "extension \".toml\" not supported"));
    }

    CO_TEST_CASE("that is missing is an error, or is written from initial rows (INC-6)") {
        const std::string missing = co_await failure_with("{path: none.yml}");
        CHECK(contains(
            missing, "failed to apply loader entry i (cordis:include): config file not found: "
        ));
        CHECK(contains(missing, "/none.yml"));
        co_await with_rows(
            "- id: i\n"
            "  name: cordis:include\n"
            "  config: {path: made/rows.yml, initial: [{id: a, name: tracer, config: {tag: !!js "
            "'\"x\"'}}]}\n",
            [](Live& live) -> Task<> {
                CHECK(live.states() == "i:active i:a:active");
                const std::string text = testing::read_file(live.folder.path() / "made/rows.yml");
                CHECK(
                    parse_yaml(text, "f") ==
                    row("[{id: a, name: tracer, config: {tag: !!js '\"x\"'}}]")
                );
                co_return;
            }
        );
    }

    CO_TEST_CASE(
        "that is unreadable or wrong says in which stage, and is not overwritten (INC-4, "
        "INC-5, INC-6, DIF-L5)"
    ) {
        co_await with_rows("[]", [](Live& live) -> Task<> {
            const std::string config = ", config: {path: bad.yml, initial: []}}";
            const Value include = row("{id: i, name: 'cordis:include'" + config);
            const auto failure = [&live, &include](std::string text) -> Task<std::string> {
                live.folder.write("bad.yml", text);
                Task<std::string> creation = live.tree->create(include);
                try {
                    static_cast<void>(co_await std::move(creation));
                } catch (const Error& error) {
                    CHECK(testing::read_file(live.folder.path() / "bad.yml") == text);
                    co_return error.message();
                }
                co_return "";
            };
            const std::string parse = co_await failure("- {id: a\n");
            const std::string empty = co_await failure("# nothing\n");
            const std::string map = co_await failure("a: 1\n");
            const std::string scalar = co_await failure("- 5\n");
            std::filesystem::remove(live.folder.path() / "bad.yml");
            std::filesystem::create_directory(live.folder.path() / "bad.yml");
            const std::string folder = co_await failure_of([](Live& at, Value added) -> Task<> {
                static_cast<void>(co_await at.tree->create(std::move(added)));
            }(live, include));

            CHECK(contains(parse, "failed to parse config file "));
            CHECK(contains(empty, "failed to validate config file "));
            CHECK(contains(empty, "config file must be a top-level array, found nothing"));
            CHECK(contains(map, "config file must be a top-level array, found a mapping"));
            CHECK(contains(scalar, "failed to validate config file "));
            CHECK(contains(folder, "failed to read config file "));
        });
    }

    CO_TEST_CASE("that includes itself is refused") {
        const std::string failure = co_await failure_of(with_rows(
            kInclude,
            [](Live& live) {
                write(live, "[{id: j, name: 'cordis:include', config: {path: ./rows.yml}}]");
            },
            [](Live&) -> Task<> { co_return; }
        ));
        CHECK(contains(failure, "includes itself, by way of 'i:j'"));
    }

    CO_TEST_CASE("is patched by its row, and its rows by no outer patch (INC-7, PAT-9)") {
        co_await with_rows(
            "- id: i\n"
            "  name: cordis:include\n"
            "  config:\n"
            "    path: sub/rows.yml\n"
            "    patches: [{id: a, config: {tag: patched}}, {insert: [{id: b, name: tracer, "
            "config: {tag: b}}]}]\n",
            &prepare,
            [](Live& live) -> Task<> {
                CHECK(live.states() == "i:active i:a:active i:b:active");
                const FiberPtr include = live.row("i").fiber;
                co_await live.tree->update(
                    "i",
                    keys("{config: {path: sub/rows.yml, patches: [{id: a, config: {tag: other}}]}}")
                );
                CHECK(live.row("i").fiber == include);
                CHECK(live.take_log() == "dispose patched; apply other; dispose b");
            }
        );
    }

    CO_TEST_CASE(
        "gets new patches over what was read last, and none where they are left out "
        "(INC-11, PIT-L13)"
    ) {
        co_await with_rows(kInclude, &prepare, [](Live& live) -> Task<> {
            write(live, "not: [read");
            co_await live.tree->update(
                "i",
                keys("{config: {path: sub/rows.yml, patches: [{id: a, config: {tag: patched}}]}}")
            );
            CHECK(live.take_log() == "dispose a1; apply patched");
            co_await live.tree->update("i", keys("{config: {path: sub/rows.yml}}"));
            CHECK(live.take_log() == "dispose patched; apply a1");
        });
    }

    CO_TEST_CASE("at another path restarts the include (INC-11)") {
        co_await with_rows(kInclude, &prepare, [](Live& live) -> Task<> {
            live.folder.write("other.yml", "[{id: c, name: tracer, config: {tag: c}}]");
            const FiberPtr include = live.row("i").fiber;
            co_await live.tree->update("i", keys("{config: {path: other.yml}}"));
            CHECK(live.row("i").fiber != include);
            CHECK(live.states() == "i:active i:c:active");
            CHECK(live.take_log() == "dispose a1; apply c");
        });
    }

    CO_TEST_CASE(
        "is switched off with its row, and runs on without its rows with the flag "
        "(LDR-44, LDR-45)"
    ) {
        co_await with_rows(kInclude, &prepare, [](Live& live) -> Task<> {
            co_await live.tree->update("i", keys("{disabled: true}"));
            CHECK(live.states() == "i:disabled");
            CHECK(live.row("i").fiber == nullptr);
            co_await live.tree->update("i", keys("{group: true}"));
            CHECK(live.states() == "i:disabled i:a:disabled");
            CHECK(live.row("i").fiber->state() == FiberState::active);
        });
    }
}

TEST_SUITE("EntryTree::refresh()") {
    CO_TEST_CASE("does nothing for the same text, and applies another (INC-8, INC-15)") {
        co_await with_rows(kInclude, &prepare, [](Live& live) -> Task<> {
            co_await live.tree->refresh(file_of(live));
            CHECK(live.take_log() == "");
            write(live, "[{id: a, name: tracer, config: {tag: a2}}]");
            co_await live.tree->refresh(file_of(live));
            CHECK(live.take_log() == "dispose a1; apply a2");
        });
    }

    CO_TEST_CASE(
        "keeps the last good rows after a bad edit, and knows them when they return "
        "(INC-8, INC-9)"
    ) {
        co_await with_rows(kInclude, &prepare, [](Live& live) -> Task<> {
            const FiberPtr before = live.row("i:a").fiber;
            for (const char* text : {"- {", "", "a: 1", "[{id: a, name: no-such}]", "[{id: b}]"}) {
                write(live, text);
                const std::string failure = co_await failure_of(live.tree->refresh(file_of(live)));
                CHECK(failure != "");
                CHECK(live.states() == "i:active i:a:active");
            }
            std::filesystem::remove(file_of(live));
            const std::string failure = co_await failure_of(live.tree->refresh(file_of(live)));
            CHECK(contains(failure, "config file not found"));
            prepare(live);
            co_await live.tree->refresh(file_of(live));

            CHECK(live.row("i:a").fiber == before);
            CHECK(live.take_log() == "");
        });
    }

    CO_TEST_CASE("asked for three times at once does not interleave (TRC-L3, INC-10)") {
        co_await with_rows(kInclude, &prepare, [](Live& live) -> Task<> {
            write(live, "[{id: a, name: tracer, config: {tag: a2}}]");
            std::vector<Starter> refreshes;
            for (int i = 0; i < 3; ++i) {
                refreshes.emplace_back([&live] { return live.tree->refresh(file_of(live)); });
            }
            static_cast<void>(co_await start_all(std::move(refreshes)));
            write(live, "[{id: a, name: tracer, config: {tag: a3}}]");
            co_await live.tree->refresh(file_of(live));

            CHECK(live.take_log() == "dispose a1; apply a2; dispose a2; apply a3");
            CHECK(live.states() == "i:active i:a:active");
        });
    }

    CO_TEST_CASE("leaves rows without an id alone while they are the same (INC-12)") {
        co_await with_rows(
            kInclude,
            [](Live& live) { write(live, "[{name: tracer, config: {tag: a1}}]"); },
            [](Live& live) -> Task<> {
                write(
                    live, "# a comment\n[{id: z, name: tracer}, {name: tracer, config: {tag: a1}}]"
                );
                co_await live.tree->refresh(file_of(live));
                CHECK(live.take_log() == "apply ");
                // Nothing is written by reading.
                CHECK(contains(testing::read_file(file_of(live)), "# a comment"));
            }
        );
    }
}

TEST_SUITE("write-back") {
    CO_TEST_CASE(
        "puts what programs change into the file, without what patches make of it "
        "(INC-13, INC-14, INC-16, INC-18, INC-19, DIF-L3, LDR-9, PIT-L7)"
    ) {
        co_await with_rows(
            "- id: i\n"
            "  name: cordis:include\n"
            "  config: {path: sub/rows.yml, patches: [{id: a, label: patched}, {insert: [{id: o, "
            "name: tracer}]}]}\n",
            [](Live& live) {
                write(
                    live,
                    "[{config: {tag: !!js '\"x\"'}, name: tracer, id: a}, {id: b, name: tracer}]"
                );
                live.root().on<ConfigUpdateEvent>([&live](const std::filesystem::path& file) {
                    live.log.push_back("write " + file.filename().string());
                });
            },
            [](Live& live) -> Task<> {
                co_await live.tree->update("i:a", keys("{zeta: 1, alpha: 2}"));
                co_await live.tree->remove("i:b");
                CHECK(live.take_log() == "write rows.yml; dispose ; write rows.yml");
                CHECK(
                    testing::read_file(file_of(live)) ==
                    "- id: a\n  name: tracer\n  alpha: 2\n  zeta: 1\n  config:\n    tag: !!js "
                    "'\"x\"'\n"
                );
                co_await live.tree->refresh(file_of(live));
                CHECK(live.take_log() == "");
                // A row that only a patch brought in is nobody's in the file.
                co_await live.tree->update("i:o", keys("{config: {tag: o2}}"));
                CHECK(live.take_log() == "dispose ; apply o2");
            }
        );
    }

    CO_TEST_CASE("of a move between trees writes both (LDR-36)") {
        co_await with_rows(
            "- {id: i, name: 'cordis:include', config: {path: sub/rows.yml}}\n"
            "- {id: j, name: 'cordis:include', config: {path: sub/other.json}}\n",
            [](Live& live) {
                prepare(live);
                live.folder.write("sub/other.json", "[]");
            },
            [](Live& live) -> Task<> {
                co_await live.tree->update("i:a", {}, RowPlace{"j"});
                CHECK(live.states() == "i:active j:active j:a:active");
                CHECK(testing::read_file(file_of(live)) == "[]\n");
                CHECK(
                    testing::read_file(live.folder.path() / "sub/other.json") ==
                    R"([{"id":"a","name":"tracer","config":{"tag":"a1"}}])"
                    "\n"
                );
            }
        );
    }

    CO_TEST_CASE(
        "keeps what a row does to itself, but not in place of an expression (LDR-50, "
        "LDR-51, INC-20)"
    ) {
        co_await with_rows(
            kInclude,
            [](Live& live) {
                write(
                    live,
                    "- {id: a, name: tracer, config: {tag: a1}}\n"
                    "- {id: b, name: tracer, disabled: !!js '1 === 2', config: {tag: b1}}\n"
                );
            },
            [](Live& live) -> Task<> {
                const FiberPtr row = live.row("i:a").fiber;
                const bool is_accepted = co_await row->update(testing::row("{tag: a2}"));
                CHECK(is_accepted);
                co_await live.tree->await();
                CHECK(contains(testing::read_file(file_of(live)), "tag: a2"));
                const std::string failure = co_await failure_of([](FiberPtr failing) -> Task<> {
                    static_cast<void>(co_await failing->update(testing::row("{tag: a3, fail: no}"))
                    );
                }(row));
                CHECK(failure == "no");
                co_await live.tree->remove("i:a");

                live.row("i:b").fiber->request_dispose();
                co_await live.tree->await();
                CHECK(live.states() == "i:active i:b:disabled");
                CHECK(contains(testing::read_file(file_of(live)), "disabled: !!js 1 === 2"));
                CHECK_FALSE(contains(testing::read_file(file_of(live)), "a3"));
            }
        );
    }

    CO_TEST_CASE("is refused for a file that may not be written, and nothing changes (INC-17)") {
        if (::geteuid() == 0) {
            std::printf("SKIPPED: root may write to every file\n");
            co_return;
        }
        co_await with_rows(
            kInclude,
            [](Live& live) {
                prepare(live);
                std::filesystem::permissions(file_of(live), std::filesystem::perms::owner_read);
            },
            [](Live& live) -> Task<> {
                const std::string failure =
                    co_await failure_of(live.tree->update("i:a", keys("{label: x}")));
                CHECK(contains(failure, "cannot overwrite readonly config "));
                CHECK(live.take_log() == "");
            }
        );
    }
}
