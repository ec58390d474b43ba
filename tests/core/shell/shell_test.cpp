#include <cordon/shell/shell.hpp>

#include <doctest/doctest.h>

namespace {

class PlainShell final : public cordon::ShellExecutor {
public:
    [[nodiscard]] cordon::Task<cordon::ShellSpec> resolve(cordon::ShellRequest) override {
        co_return cordon::ShellSpec{};
    }

    [[nodiscard]] cordon::Task<cordon::ShellResult> run(cordon::ShellSpec) override {
        co_return cordon::ShellResult{};
    }
};

}  // namespace

TEST_SUITE("ShellExecutor") {
    TEST_CASE("an executor that does not confine reports no mode (SH-3)") {
        CHECK_FALSE(PlainShell{}.sandbox_mode().has_value());
    }

    TEST_CASE("a result starts as neither timed out nor aborted, without confinement (SH-8)") {
        const cordon::ShellResult result;
        CHECK_FALSE(result.timed_out);
        CHECK_FALSE(result.aborted);
        CHECK_FALSE(result.sandbox.has_value());
    }
}
