#include "cordon_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using cordon::testing::CordonFixture;
using cordon::testing::fixture_plugins;
using cordon::testing::ProgramResult;

TEST_SUITE("cordon check") {
    TEST_CASE_FIXTURE(CordonFixture, "has nothing to say about the base composition") {
        const ProgramResult result = cordon({"check"});
        CHECK(result.status == 0);
        CHECK(result.out == "");
        CHECK(result.err == "");
    }

    TEST_CASE_FIXTURE(CordonFixture, "says all at once, each with its place, and starts nothing") {
        const auto patch = folder().write(
            "my.patch.yml",
            "- id: sandbox-policy\n"
            "  config: {mode: 1, workspaceRoot: !!js process.cwd()}\n"
            "- insert:\n"
            "    - {id: absent, name: no-such-plugin}\n"
            "    - {id: other-abi, name: wrong_abi}\n"
            "    - {id: lonely, name: needs_nobody}\n"
            "    - {id: broken, name: timer, config: {a: !!js 'x ='}}\n"
            "    - {id: off, name: no-such-plugin, disabled: true}\n"
        );
        const ProgramResult result =
            cordon({"--plugin-path", fixture_plugins(), "check", "--patch", patch});
        CHECK(result.status == 1);
        CHECK(result.out == "");
        const auto says = [&](const std::string& text) {
            return result.err.find(text) != std::string::npos;
        };
        CAPTURE(result.err);
        CHECK(says(
            patch.string() + ":2:18: error: row 'sandbox-policy' (sandbox-policy): $.mode expected "
        ));
        CHECK(says(patch.string() + ":4:"));
        CHECK(says("row 'absent' (no-such-plugin)"));
        CHECK(says("row 'other-abi' (wrong_abi)"));
        CHECK(says("row 'lonely' (needs_nobody): needs the service"));
        CHECK(says("which no row provides"));
        CHECK(says(patch.string() + ":7:"));
        CHECK(!says("row 'off'"));
    }

    TEST_CASE_FIXTURE(CordonFixture, "checks the initial rows of an include and writes no file") {
        const auto file = folder().path() / "more.yml";
        const auto patch = folder().write(
            "my.patch.yml",
            "- insert:\n"
            "    - id: more\n"
            "      name: cordis:include\n"
            "      config:\n"
            "        path: " +
                file.string() +
                "\n"
                "        initial: [{id: absent, name: no-such-plugin}]\n"
        );
        const ProgramResult result = cordon({"check", "--patch", patch});
        CAPTURE(result.err);
        CHECK(result.status == 1);
        CHECK(result.err.find("no-such-plugin") != std::string::npos);
        CHECK(!std::filesystem::exists(file));
    }

    TEST_CASE_FIXTURE(CordonFixture, "shows rows that wait for each other") {
        const auto patch = folder().write(
            "my.patch.yml",
            "- insert:\n"
            "    - {id: giver, name: provides_greeting, inject: [sandboxPolicy]}\n"
            "- {id: sandbox-policy, inject: [greeting]}\n"
        );
        const ProgramResult result =
            cordon({"--plugin-path", fixture_plugins(), "check", "--patch", patch});
        CAPTURE(result.err);
        CHECK(result.status == 1);
        CHECK(
            result.err.find(
                "these rows wait for each other: row 'sandbox-policy' -> greeting -> row "
                "'giver' -> sandboxPolicy -> row 'sandbox-policy'"
            ) != std::string::npos
        );
    }

    TEST_CASE_FIXTURE(CordonFixture, "a file that cannot be read is said with line and column") {
        const auto patch = folder().write("bad.yml", "- id: a\n  config:\n    x: 1\n    x: 2\n");
        const ProgramResult result = cordon({"check", "--json", "--patch", patch});
        CHECK(result.status == 1);
        const auto document = boost::json::parse(result.out);
        const auto& first = document.at("diagnostics").at(0);
        CHECK(first.at("severity").as_string() == "error");
        CHECK(first.at("file").as_string() == patch.string().c_str());
        CHECK(first.at("line") == 4);
        CHECK(first.at("column") == 5);
    }

    TEST_CASE_FIXTURE(CordonFixture, "a warning alone is no failure, problems carry their path") {
        const auto patch = folder().write("my.patch.yml", "- {id: sandbx, disabled: true}\n");
        const ProgramResult warned = cordon({"check", "--patch", patch});
        CHECK(warned.status == 0);
        CHECK(warned.err.find("warning: patch: entry \"sandbx\" not found") != std::string::npos);

        const auto wrong = folder().write(
            "wrong.yml", "- {id: sandbox-policy, config: {mode: 1, workspaceRoot: .}}\n"
        );
        const auto document = boost::json::parse(cordon({"check", "--json", "--patch", wrong}).out);
        CHECK(document.at("diagnostics").at(0).at("path").at(0).as_string() == "mode");
    }
}

TEST_SUITE("cordon eval") {
    TEST_CASE_FIXTURE(CordonFixture, "prints the value as JSON, or undefined") {
        CHECK(cordon({"eval", "[1, 'a', { b: 1 + 1 }]"}).out == "[1,\"a\",{\"b\":2}]\n");
        CHECK(cordon({"eval", "undefined"}).out == "undefined\n");
        CHECK(cordon({"eval", "--json", "undefined"}).out == "{}\n");
        CHECK(cordon({"eval", "--json", "null"}).out == "{\"value\":null}\n");
        CHECK(
            cordon({"eval", "process.cwd()"}).out ==
            '"' + std::filesystem::canonical(workspace()).string() + "\"\n"
        );
        CHECK(cordon({"eval", "baseUrl.startsWith('file://')"}).out == "true\n");
    }

    TEST_CASE_FIXTURE(CordonFixture, "sees what --scope gives in place of the real") {
        const auto scope = folder().write(
            "scope.json",
            R"({"environment": {"PORT": "81"}, "platform": "darwin", "cwd": "/w",
                "services": {"web": {"port": 7}}})"
        );
        const auto eval = [&](const std::string& text) {
            return cordon({"eval", text, "--scope", scope}).out;
        };
        CHECK(eval("Number(process.env.PORT)") == "81\n");
        CHECK(eval("process.env.HOME") == "undefined\n");
        CHECK(eval("process.platform + process.cwd()") == "\"darwin/w\"\n");
        CHECK(eval("ctx.get('web').port + ctx.web.port") == "14\n");
    }

    TEST_CASE_FIXTURE(CordonFixture, "an error names line and column, a wrong scope its key") {
        const ProgramResult failed = cordon({"eval", "1 + nothing"});
        CHECK(failed.status == 1);
        CHECK(failed.out == "");
        CHECK(failed.err.find("EXPR:1:5: error: ") != std::string::npos);
        CHECK(failed.err.find("nothing") != std::string::npos);
        const auto scope = folder().write("scope.json", R"({"platfrom": "x"})");
        const ProgramResult wrong = cordon({"eval", "1", "--scope", scope});
        CHECK(wrong.status == 1);
        CHECK(wrong.err.find("$.platfrom is not a known key") != std::string::npos);
    }
}
