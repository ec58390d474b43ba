#include <cordon/async/start_all.hpp>
#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/context/settle.hpp>
#include <cordon/loader/loader_events.hpp>
#include <cordon/loader/transaction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cordon {
namespace {

bool has_failed(const Entry& entry) {
    return entry.failure || (entry.fiber() && entry.fiber()->error());
}

/// Whether the fiber of `entry` has been started from what `entry` says.
bool has_config(const Entry& entry) {
    return entry.mount->config == entry.config();
}

bool provides_any(const Entry& entry, const std::set<std::string>& services) {
    const PluginPtr& plugin = entry.mount->identity.plugin;
    return plugin && std::any_of(
                         plugin->provides.begin(),
                         plugin->provides.end(),
                         [&](const std::string& service) { return services.contains(service); }
                     );
}

bool is_slot_taken(const std::exception_ptr& failure) {
    return failure && as_cause(failure)->code() == "SERVICE_EXISTS";
}

}  // namespace

std::exception_ptr one_failure(const std::vector<std::exception_ptr>& failures) {
    if (failures.size() == 1) {
        return failures.front();
    }
    std::vector<std::string> texts;
    for (const std::exception_ptr& failure : failures) {
        texts.push_back(message_of(failure));
    }
    return std::make_exception_ptr(Error{
        "loader entries failed to apply: " + join(texts, "; "),
        "ENTRIES_FAILED",
        as_cause(failures.front())});
}

Transaction::Transaction(std::shared_ptr<Mounter> mounter, GenerationPtr next)
    : mounter_(std::move(mounter)), old_(mounter_->current()), next_(std::move(next)) {
    for (const Entry& entry : old_->entries) {
        if (has_failed(entry)) {
            failed_before_.insert(entry.id);
        }
        if (entry.fiber() && entry.fiber()->state() == FiberState::active) {
            active_before_.insert(entry.id);
        }
    }
}

std::vector<const Entry*> Transaction::leaving(const Generation& from, const Generation& to) const {
    std::vector<const Entry*> entries;
    std::set<std::string> listed;
    for (const Entry* entry : to.in_order()) {
        listed.insert(entry->id);
        const bool stays = entry->is_wanted() && is_same_instance(*entry);
        if (entry->mount->is_alive() && !stays) {
            entries.push_back(entry);
        }
    }
    for (const Entry* entry : from.in_order()) {
        if (!listed.contains(entry->id) && entry->mount->is_alive()) {
            entries.push_back(entry);
        }
    }
    std::reverse(entries.begin(), entries.end());
    return entries;
}

std::set<std::string> Transaction::arriving_services(const Generation& to) {
    std::set<std::string> services;
    for (const Entry& entry : to.entries) {
        if (entry.is_wanted() && entry.plugin && !is_same_instance(entry)) {
            services.insert(entry.plugin->provides.begin(), entry.plugin->provides.end());
        }
    }
    return services;
}

void Transaction::move_out(const Generation& to, const std::vector<const Entry*>& leaving) {
    std::set<const Fiber*> going;
    for (const Entry* entry : leaving) {
        going.insert(entry->fiber().get());
    }
    for (const Entry* entry : to.in_order()) {
        const auto owner = entry->mount->owner.lock();
        const bool stays = entry->is_wanted() && is_same_instance(*entry);
        if (stays && owner && going.contains(owner.get())) {
            mounter_->park(*entry);
        }
    }
}

Task<> Transaction::stop(std::shared_ptr<Transaction> self, std::vector<const Entry*> entries) {
    for (const Entry* entry : entries) {
        if (entry->mount->is_alive()) {  // it may have gone with its group
            co_await Mounter::stop(self->mounter_, *entry);
        }
    }
}

Task<> Transaction::update(std::shared_ptr<Transaction> self, const Entry* entry) {
    std::exception_ptr failure;
    try {
        co_await Mounter::update(self->mounter_, *entry);
    } catch (...) {
        failure = as_error(std::current_exception());
    }
    if (failure) {
        self->mounter_->failures().insert_or_assign(entry->id, failure);
    }
}

Task<> Transaction::converge(std::shared_ptr<Transaction> self, GenerationPtr to) {
    self->mounter_->adopt(to);
    std::vector<Starter> steps;
    for (const Entry* entry : to->in_order()) {
        const bool stays = entry->is_wanted() && is_same_instance(*entry);
        if (stays && !has_config(*entry)) {
            steps.emplace_back([self, entry] { return update(self, entry); });
        }
    }
    steps.emplace_back([self]() -> Task<> {
        self->mounter_->realise();
        return all_settled(self->mounter_->context());
    });
    const std::vector<std::exception_ptr> thrown = co_await start_all(std::move(steps));
    for (const std::exception_ptr& failure : thrown) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
}

std::vector<std::exception_ptr> Transaction::refused() const {
    std::vector<std::exception_ptr> failures;
    for (const Entry* entry : next_->in_order()) {
        if (!entry->failure) {
            continue;
        }
        const Entry* before = old_->find(entry->id);
        const bool is_known = before != nullptr && before->failure && before->row == entry->row;
        if (!is_known) {
            failures.push_back(
                std::make_exception_ptr(entry_error(*entry, entry->stage, entry->failure))
            );
        }
    }
    return failures;
}

std::vector<std::exception_ptr> Transaction::failed() const {
    std::vector<std::exception_ptr> failures;
    for (const Entry* entry : next_->in_order()) {
        const auto kept_from = mounter_->failures().find(entry->id);
        if (kept_from != mounter_->failures().end()) {
            failures.push_back(
                std::make_exception_ptr(entry_error(*entry, "apply", kept_from->second))
            );
            continue;
        }
        const std::exception_ptr error = entry->fiber() ? entry->fiber()->error() : nullptr;
        const Entry* before = old_->find(entry->id);
        const bool is_known =
            failed_before_.contains(entry->id) && before != nullptr && before->row == entry->row;
        if (error && !is_known) {
            failures.push_back(std::make_exception_ptr(entry_error(*entry, "apply", error)));
        }
    }
    return failures;
}

/// What starts may need room that nobody announced: a plugin that does not declare what it
/// provides.
Task<> Transaction::retry_after(std::shared_ptr<Transaction> self) {
    std::vector<FiberPtr> blocked;
    for (const Entry& entry : self->next_->entries) {
        if (entry.fiber() && is_slot_taken(entry.fiber()->error())) {
            blocked.push_back(entry.fiber());
        }
    }
    if (blocked.empty() || self->deferred_.empty()) {
        co_return;
    }
    std::vector<const Entry*> deferred = std::exchange(self->deferred_, {});
    co_await stop(self, std::move(deferred));
    std::vector<Starter> steps;
    for (const FiberPtr& fiber : blocked) {
        steps.emplace_back([fiber] { return fiber->restart(); });
    }
    co_await start_all(std::move(steps));  // who still fails is found by its state
    co_await all_settled(self->mounter_->context());
}

Task<> Transaction::run(std::shared_ptr<Transaction> self) {
    const std::vector<std::exception_ptr> refused = self->refused();
    if (!refused.empty()) {
        std::rethrow_exception(one_failure(refused));
    }
    self->mounter_->failures().clear();
    std::vector<const Entry*> leaving = self->leaving(*self->old_, *self->next_);
    const std::set<std::string> arriving = arriving_services(*self->next_);
    self->move_out(*self->next_, leaving);

    const auto first_deferred =
        std::stable_partition(leaving.begin(), leaving.end(), [&](const Entry* entry) {
            const Entry* next = self->next_->find(entry->id);
            const bool is_replaced = next != nullptr && next->is_wanted();
            return is_replaced || provides_any(*entry, arriving);
        });
    self->deferred_.assign(first_deferred, leaving.end());
    leaving.erase(first_deferred, leaving.end());
    std::exception_ptr failure;
    try {
        co_await stop(self, std::move(leaving));
        co_await converge(self, self->next_);
        co_await retry_after(self);
        std::vector<std::exception_ptr> failures = self->failed();
        if (failures.empty()) {
            std::vector<const Entry*> deferred = std::exchange(self->deferred_, {});
            co_await stop(self, std::move(deferred));
            co_await all_settled(self->mounter_->context());
            failures = self->failed();
        }
        failure = failures.empty() ? nullptr : one_failure(failures);
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        co_await roll_back(self, failure);
        std::rethrow_exception(failure);
    }
    self->tell_changes();
}

Task<> Transaction::roll_back(std::shared_ptr<Transaction> self, std::exception_ptr why) {
    const bool is_over = !self->mounter_->context().fiber()->uid();
    if (is_over) {
        co_return;  // the tree itself goes; nothing is to be restored (spec LDR-42)
    }
    self->mounter_->failures().clear();
    std::vector<const Entry*> leaving = self->leaving(*self->next_, *self->old_);
    self->move_out(*self->old_, leaving);
    co_await stop(self, std::move(leaving));
    co_await converge(self, self->old_);

    std::vector<std::string> texts;
    for (const Entry* entry : self->old_->in_order()) {
        const FiberPtr& fiber = entry->fiber();
        const bool is_down = !fiber || fiber->state() != FiberState::active;
        if (!is_down || !self->active_before_.contains(entry->id)) {
            continue;
        }
        const auto kept_from = self->mounter_->failures().find(entry->id);
        const std::exception_ptr error = kept_from != self->mounter_->failures().end()
                                             ? kept_from->second
                                             : (fiber ? fiber->error() : nullptr);
        texts.push_back(fmt::format(
            "failed to rollback loader entry {}: {}",
            entry->title(),
            error ? message_of(error) : "it did not become active again"
        ));
    }
    if (!texts.empty()) {
        throw Error{
            fmt::format("loader entry rollback failed: {}; {}", message_of(why), join(texts, "; ")),
            "ROLLBACK_FAILED",
            as_cause(why)};
    }
}

void Transaction::tell_changes() const {
    for (const Entry* entry : next_->in_order()) {
        const Entry* before = old_->find(entry->id);
        if (before != nullptr && before->row != entry->row) {
            mounter_->tell<PartialDisposeEvent>(entry->id, before->row, true);
        }
    }
    for (const Entry* entry : old_->in_order()) {
        if (next_->find(entry->id) == nullptr) {
            mounter_->tell<PartialDisposeEvent>(entry->id, entry->row, false);
        }
    }
}

}  // namespace cordon
