#include <cordon/async/offload.hpp>
#include <cordon/async/shield.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>
#include <cordon/loader/audit.hpp>
#include <cordon/loader/mounting.hpp>
#include <cordon/loader/tree.hpp>

#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace cordon {

EntryTree::~EntryTree() = default;

namespace {

namespace asio = boost::asio;

class MountedTree final : public EntryTree {
public:
    explicit MountedTree(std::shared_ptr<const Mounting> mounting)
        : mounting_(std::move(mounting)) {}

    [[nodiscard]] std::vector<RowStatus> rows() const override {
        std::map<const Entry*, std::string> problems;
        for (RowProblem& problem : audit(mounting_->entries(), mounting_->parent())) {
            problems.emplace(problem.entry, std::move(problem.text));
        }
        std::vector<RowStatus> rows;
        for (const Entry& entry : mounting_->entries()) {
            const auto problem = problems.find(&entry);
            rows.push_back(RowStatus{
                entry.id,
                entry.name,
                entry.place,
                entry.is_off(),
                entry.fiber,
                problem == problems.end() ? std::string{} : problem->second});
        }
        return rows;
    }

private:
    std::shared_ptr<const Mounting> mounting_;
};

/// The cause of the first problem, which is a root cause.
std::shared_ptr<const Error> cause_of(const RowProblem& problem) {
    const Entry& entry = *problem.entry;
    const std::exception_ptr failure =
        entry.failure || !entry.fiber ? entry.failure : entry.fiber->error();
    return failure ? as_cause(failure) : nullptr;
}

/// Errors: `BOOT_FAILED` with a line for every row that is not active.
void require_all_active(const Mounting& mounting) {
    const std::vector<RowProblem> problems = audit(mounting.entries(), mounting.parent());
    if (problems.empty()) {
        return;
    }
    std::string text;
    for (const RowProblem& problem : problems) {
        text += (text.empty() ? "" : "\n") + to_string(problem);
    }
    throw Error{std::move(text), "BOOT_FAILED", cause_of(problems.front())};
}

/// A body that failed has been logged by its fiber.
void log_others(const Mounting& mounting) {
    for (const RowProblem& problem : audit(mounting.entries(), mounting.parent())) {
        const FiberPtr& fiber = problem.entry->fiber;
        if (!fiber || !fiber->error()) {
            mounting.parent().log(LogLevel::error, to_string(problem));
        }
    }
}

Task<> start(std::shared_ptr<Mounting> mounting, bool keep_going) {
    if (!keep_going && mounting->has_failed_entry()) {
        require_all_active(*mounting);
    }
    mounting->apply();
    co_await Mounting::settle(mounting);
    const bool is_over = !mounting->parent().fiber()->uid();
    if (is_over) {
        co_return;  // a plugin has ended the whole program already (spec BOOT-12)
    }
    if (keep_going) {
        log_others(*mounting);
    } else {
        require_all_active(*mounting);
    }
}

}  // namespace

Task<std::unique_ptr<EntryTree>> EntryTree::mount(
    Context parent, Composition composition, ModuleResolver& modules, MountOptions options
) {
    const bool keep_going = options.keep_going;
    const auto mounting =
        std::make_shared<Mounting>(std::move(parent), composition, std::move(options));
    mounting->decide();
    auto import = [mounting, &modules] {
        mounting->import(modules);
    };
    co_await offload(std::move(import));

    std::exception_ptr failure;
    try {
        co_await start(mounting, keep_going);
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        if (is_cancellation(failure)) {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        }
        co_await shield(Mounting::dispose(mounting));
        std::rethrow_exception(failure);
    }
    std::unique_ptr<EntryTree> tree = std::make_unique<MountedTree>(mounting);
    co_return tree;
}

}  // namespace cordon
