#include "cordon_fixture.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

using cordon::testing::CordonFixture;
using cordon::testing::ProgramOptions;
using cordon::testing::ProgramResult;
using cordon::testing::read_file;

namespace {

class ProfileFixture : public CordonFixture {
public:
    [[nodiscard]] std::filesystem::path home() const { return folder().path() / "home"; }

    [[nodiscard]] ProgramResult at_home(std::vector<std::string> arguments) const {
        ProgramOptions options;
        options.env["CORDON_HOME"] = home().string();
        return cordon(std::move(arguments), options);
    }
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("cordon profile") {
    TEST_CASE_FIXTURE(
        ProfileFixture, "makes, changes and lists profiles, and keeps what is there"
    ) {
        const ProgramResult made = at_home({"profile", "init", "work"});
        CHECK(made.status == 0);
        CHECK(has(made.out, "made " + (home() / "profiles/work/profile.yml").string()));
        folder().write("home/profiles/work/cordis.patch.yml", "# mine\n[]\n");
        CHECK(has(at_home({"profile", "init", "work"}).out, "is there already"));
        CHECK(read_file(home() / "profiles/work/cordis.patch.yml") == "# mine\n[]\n");

        CHECK(at_home({"profile", "list"}).out == "work\tbase\n");
        CHECK(at_home({"profile", "remove-bundle", "work", "base"}).status == 0);
        CHECK(at_home({"profile", "remove-bundle", "work", "base"}).status == 1);
        CHECK(at_home({"profile", "add-bundle", "work", "base"}).status == 0);
        CHECK(has(at_home({"profile", "list", "--json"}).out, R"("bundles":["base"])"));
        const ProgramResult none = at_home({"profile", "add-bundle", "work", "bose"});
        CHECK(none.status == 1);
        CHECK(has(none.err, "bundle 'bose': not found; tried "));
        CHECK(has(none.err, "Perhaps 'base' is meant"));
    }

    TEST_CASE_FIXTURE(
        ProfileFixture, "layers bundles, the profile, the home folder and overlays (PAT-13)"
    ) {
        folder().write("home/profiles/p/profile.yml", "bundles: [base, ./mine]\n");
        folder().write("home/profiles/p/mine/bundle.yml", "name: mine\nversion: '1.2'\n");
        folder().write(
            "home/profiles/p/mine/cordis.patch.yml",
            "- insert: [{id: x, name: m, config: {v: 1}}]\n"
        );
        folder().write("home/profiles/p/cordis.patch.yml", "- {id: x, config: {v: 2}}\n");
        folder().write("home/cordis.patch.yml", "- {id: x, config: {v: 3}}\n");
        const auto overlay = folder().write("over.yml", "- {id: x, label: top}\n");

        const ProgramResult composed =
            at_home({"compose", "--json", "--profile", "p", "--patch", overlay});

        CHECK(composed.err == "");
        CHECK(has(composed.out, R"({"id":"x","name":"m","config":{"v":3},"label":"top"})"));
        CHECK(has(composed.out, R"("id":"sandbox")"));
    }

    TEST_CASE_FIXTURE(
        ProfileFixture, "makes the shipped one, and says how to make another (BOOT-26)"
    ) {
        CHECK(at_home({"compose", "--profile", "default"}).status == 0);
        CHECK(std::filesystem::exists(home() / "profiles/default/profile.yml"));
        const ProgramResult missing = at_home({"compose", "--profile", "work"});
        CHECK(missing.status == 1);
        CHECK(has(missing.err, "`cordon profile init work` makes it"));
        CHECK(has(at_home({"compose", "--profile", "../x"}).err, "is no name of a profile"));
        folder().write("home/profiles/bad/profile.yml", "bundle: [base]\n");
        const ProgramResult bad = at_home({"compose", "--profile", "bad"});
        CHECK(has(bad.err, "profile.yml:1:"));
        CHECK(has(bad.err, "unknown key of a profile"));
    }
}

TEST_SUITE("cordon plugins") {
    TEST_CASE_FIXTURE(ProfileFixture, "lists what can be composed, and why something cannot") {
        const ProgramResult all = cordon({"plugins"});
        CHECK(all.status == 0);
        CHECK(has(all.out, "sandbox-policy\t"));
        CHECK(has(all.out, "\tsandboxPolicy\n"));
        folder().write("plugins/text.so", "no library");
        const ProgramResult bad =
            cordon({"plugins", "--json", "--plugin-path", folder().path() / "plugins"});
        CHECK(bad.status == 1);
        CHECK(has(bad.out, R"({"name":"text","error":)"));
        CHECK(has(bad.out, "it is no ELF file"));
    }

    TEST_CASE_FIXTURE(
        ProfileFixture, "shows one with its config and defaults, by any of its names"
    ) {
        const ProgramResult shown = cordon({"plugins", "show", "@qilin-agent/sandbox-policy"});
        CHECK(shown.status == 0);
        CHECK(has(shown.out, "provides: sandboxPolicy"));
        CHECK(has(shown.out, "    default: read-only"));
        const ProgramResult unknown = cordon({"plugins", "show", "sandbox-polizy"});
        CHECK(unknown.status == 1);
        CHECK(has(unknown.err, "perhaps 'sandbox-policy' is meant"));
    }
}

TEST_SUITE("cordon graph") {
    TEST_CASE_FIXTURE(
        ProfileFixture, "shows who needs whom, and what does not start with its cause"
    ) {
        const auto rows = folder().write(
            "rows.yml",
            "- {id: p, name: provides_greeting}\n"
            "- {id: n, name: needs_greeting}\n"
            "- {id: x, name: needs_nobody}\n"
            "- {id: off, name: needs_nobody, disabled: true}\n"
        );
        const std::vector<std::string> common{
            "--config", rows, "--plugin-path", cordon::testing::fixture_plugins()};
        std::vector<std::string> mermaid{"graph"};
        mermaid.insert(mermaid.end(), common.begin(), common.end());
        const ProgramResult drawn = cordon(mermaid);
        CHECK(drawn.status == 0);
        CHECK(has(drawn.out, "r0[\"p (provides_greeting)\"]"));
        CHECK(has(drawn.out, "r1 -->|greeting| r0"));
        CHECK(has(
            drawn.out, "x (needs_nobody)<br/>pending<br/>pending (waiting for service: greating)"
        ));
        CHECK(has(drawn.out, "r2 -.->|greating| m0"));
        CHECK(has(drawn.out, "off (needs_nobody)<br/>disabled"));
        mermaid.insert(mermaid.end(), {"--format", "dot"});
        const ProgramResult dot = cordon(mermaid);
        CHECK(has(dot.out, "r1 -> r0 [label=\"greeting\"];"));
        CHECK(cordon({"graph", "--format", "png"}).status == 2);
    }
}
