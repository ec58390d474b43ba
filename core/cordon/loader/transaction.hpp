#pragma once

#include <cordon/async/task.hpp>
#include <cordon/loader/generation.hpp>
#include <cordon/loader/mounter.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Brings what runs from the mounter's current generation to the next one, or back (spec DIF-L1).
/// Private to the room.
///
/// 1. Rows that stay, but stand in a group that goes, are moved out of it.
/// 2. What must make room is stopped: replaced rows, and rows that go or are switched off and
///    provide a service that a starting row provides.
/// 3. Changed configs are handed to the running fibers, all other rows are started or moved.
/// 4. All has settled, and no row has failed that had not failed before: the rows that go are
///    stopped now, those of whom nobody took over anything only now (spec LDR-39).
/// 5. Otherwise the same steps lead back to the old generation, and the failure comes out.
class Transaction {
public:
    Transaction(std::shared_ptr<Mounter> mounter, GenerationPtr next);

    /// Errors: that of the one row that failed, or `loader entries failed to apply: …`; the old
    /// generation runs then. `failed to rollback …` with both failures where it does not (spec
    /// LDR-30, LDR-40).
    [[nodiscard]] static Task<> run(std::shared_ptr<Transaction> self);

private:
    /// Rows whose instance goes, last first.
    [[nodiscard]] std::vector<const Entry*> leaving(const Generation& from, const Generation& to)
        const;
    [[nodiscard]] static std::set<std::string> arriving_services(const Generation& to);
    void move_out(const Generation& to, const std::vector<const Entry*>& leaving);
    static Task<> stop(std::shared_ptr<Transaction> self, std::vector<const Entry*> entries);
    static Task<> converge(std::shared_ptr<Transaction> self, GenerationPtr to);
    static Task<> update(std::shared_ptr<Transaction> self, const Entry* entry);
    static Task<> retry_after(std::shared_ptr<Transaction> self);
    static Task<> roll_back(std::shared_ptr<Transaction> self, std::exception_ptr why);

    [[nodiscard]] std::vector<std::exception_ptr> refused() const;
    [[nodiscard]] std::vector<std::exception_ptr> failed() const;
    void tell_changes() const;

    std::shared_ptr<Mounter> mounter_;
    GenerationPtr old_;
    GenerationPtr next_;
    /// Rows that had failed or were not active before, for which this is not to blame.
    std::set<std::string> failed_before_;
    std::set<std::string> active_before_;
    std::vector<const Entry*> deferred_;
};

/// The one failure itself, or several in one (spec LDR-38).
///
/// Precondition: `failures` is not empty.
[[nodiscard]] std::exception_ptr one_failure(const std::vector<std::exception_ptr>& failures);

}  // namespace cordon
