#include <cordon/async/offload.hpp>
#include <cordon/async/timeout.hpp>
#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/context/settle.hpp>
#include <cordon/loader/live_tree.hpp>
#include <cordon/loader/loader_events.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/loader/row_check.hpp>
#include <cordon/loader/transaction.hpp>

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

void check_row(const Value& row) {
    std::vector<Diagnostic> found;
    check_row_shape(row, found);
    std::erase_if(found, [](const Diagnostic& problem) {
        return problem.severity == Severity::warning;
    });
    if (!found.empty()) {
        throw DiagnosticError{std::move(found)};
    }
}

/// The include whose file holds the row; empty for the composition.
std::string document_of(const Entry& entry) {
    const std::string& prefix = entry.branch->prefix;
    return prefix.substr(0, prefix.size() - (prefix.empty() ? 0 : 1));
}

void merge(Object& row, const Object& changes) {
    for (const Member& change : changes) {
        if (change.value.is_null()) {
            row.erase(change.key);
        } else {
            row.set(change.key, change.value);
        }
    }
}

}  // namespace

const Entry& LiveTree::resolve(const std::string& id) const {
    const Entry* entry = mounter_->current()->find(id);
    if (entry == nullptr || entry->is_default) {
        throw Error{fmt::format("cannot resolve entry {}", id), "ENTRY_NOT_FOUND"};
    }
    return *entry;
}

RowPosition LiveTree::position_of(Sources& sources, const Entry& entry) const {
    RowEditor editor{sources};
    const auto position = editor.find(document_of(entry), entry.local_id);
    if (!position) {
        throw Error{fmt::format("cannot resolve entry {}", entry.id), "ENTRY_NOT_FOUND"};
    }
    return *position;
}

RowPosition LiveTree::position_for(const RowPlace& place) const {
    if (place.group.empty()) {
        return RowPosition{"", "", place.index};
    }
    const Entry& owner = resolve(place.group);
    switch (owner.kind) {
        case RowKind::group:
            return RowPosition{document_of(owner), owner.local_id, place.index};
        case RowKind::include:
            return RowPosition{owner.id, "", place.index};
        case RowKind::plugin:
            break;
    }
    throw Error{fmt::format("entry {} is not a group", place.group), "NOT_A_GROUP"};
}

Task<> LiveTree::perform(std::shared_ptr<LiveTree> self, std::string name, Starter operation) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    if (is_in_transition(executor)) {
        throw Error{
            fmt::format(
                "the loader's {} would wait for the caller. Do it from a task of its own "
                "(Context::spawn), once the plugin is active",
                name
            ),
            "DEADLOCK"};
    }
    co_await self->queue_->run(std::move(name), std::move(operation));
}

Task<> LiveTree::apply(std::shared_ptr<LiveTree> self, Edit edit) {
    const GenerationPtr current = self->mounter_->current();
    Sources sources = current->sources;
    edit(sources);
    GenerationPtr next = co_await prepare(*self->around_, std::move(sources), current);
    for (const Entry& entry : next->entries) {
        if (current->find(entry.id) == nullptr) {
            self->mounter_->tell<EntryInitEvent>(entry.id);
        }
    }
    const auto transaction = std::make_shared<Transaction>(self->mounter_, std::move(next));
    co_await Transaction::run(transaction);
}

Task<std::string> LiveTree::create(Value row, RowPlace place) {
    const auto self = shared_from_this();
    check_row(row);
    const auto id = std::make_shared<std::string>();
    const auto local_id = std::make_shared<std::string>();
    Edit edit = [self, row = std::move(row), place, id, local_id](Sources& sources) {
        RowPosition position = self->position_for(place);
        RowEditor editor{sources};
        position.index = std::min(position.index, editor.size(position.document, position.group));
        Value added = row;
        Object& keys = *added.as_object();
        if (string_member(keys, "id").empty()) {
            // The edit is made twice: of what runs, and of the file.
            *local_id = local_id->empty() ? self->mounter_->fresh_id() : *local_id;
            keys.set("id", *local_id);
        }
        *id =
            (position.document.empty() ? "" : position.document + ":") + string_member(keys, "id");
        if (self->mounter_->current()->find(*id) != nullptr) {
            throw Error{
                fmt::format("duplicate loader entry id: {}", string_member(keys, "id")),
                "DUPLICATE_ID"};
        }
        editor.insert(position, in_written_order(added));
    };
    Starter operation = [self, edit] {
        return apply_and_write(self, edit);
    };
    co_await perform(self, "create", std::move(operation));
    co_return *id;
}

Task<> LiveTree::update(std::string id, Object changes, std::optional<RowPlace> place) {
    const auto self = shared_from_this();
    Edit edit = [self, id, changes = std::move(changes), place](Sources& sources) {
        const Entry& entry = self->resolve(id);
        RowEditor editor{sources};
        const RowPosition from = self->position_of(sources, entry);
        Value row = editor.at(from);
        merge(*row.as_object(), changes);
        check_row(row);
        row = in_written_order(row);
        if (!place) {
            editor.at(from) = std::move(row);
            return;
        }
        RowPosition to = self->position_for(*place);
        static_cast<void>(editor.take(from));
        editor.insert(to, std::move(row));
    };
    Starter operation = [self, edit] {
        return apply_and_write(self, edit);
    };
    co_await perform(self, "update", std::move(operation));
}

Task<> LiveTree::remove(std::string id) {
    const auto self = shared_from_this();
    Edit edit = [self, id](Sources& sources) {
        const RowPosition position = self->position_of(sources, self->resolve(id));
        static_cast<void>(RowEditor{sources}.take(position));
    };
    Starter operation = [self, edit] {
        return apply_and_write(self, edit);
    };
    co_await perform(self, "removal", std::move(operation));
}

Task<> LiveTree::replace(Composition composition) {
    const auto self = shared_from_this();
    Edit edit = [rows = std::move(composition.rows)](Sources& sources) {
        sources.rows = rows;
    };
    Starter operation = [self, edit] {
        return apply(self, edit);
    };
    co_await perform(self, "reload", std::move(operation));
}

Task<> LiveTree::refresh_now(std::shared_ptr<LiveTree> self, std::filesystem::path file) {
    const GenerationPtr current = self->mounter_->current();
    std::map<std::string, Document> changed;
    for (const Entry* entry : current->in_order()) {
        const auto known = current->sources.documents.find(entry->id);
        if (entry->kind != RowKind::include || entry->file != file ||
            known == current->sources.documents.end()) {
            continue;
        }
        const IncludeConfig config =
            include_config(entry->row, entry->branch->base_folder, entry->branch->logs);
        auto read = [&config] {
            return read_document(config, MissingFile::write);
        };
        Document document = co_await offload(std::move(read));
        if (document.text != known->second.text) {
            changed.emplace(entry->id, std::move(document));
        }
    }
    if (changed.empty()) {
        co_return;
    }
    Edit edit = [&changed](Sources& sources) {
        for (auto& [id, document] : changed) {
            sources.documents.insert_or_assign(id, document);
        }
    };
    co_await apply(self, std::move(edit));
}

Task<> LiveTree::refresh(std::filesystem::path file) {
    const auto self = shared_from_this();
    Starter operation = [self, file] {
        return refresh_now(self, file);
    };
    co_await perform(self, "refresh", std::move(operation));
}

Task<> LiveTree::reload_now(
    std::shared_ptr<LiveTree> self,
    std::vector<std::filesystem::path> libraries,
    std::vector<std::string>* reloaded
) {
    const ModuleResolver::Opened before = self->modules_.opened();
    std::exception_ptr failure;
    try {
        auto renew = [self, libraries] {
            self->modules_.renew(libraries);
        };
        co_await offload(std::move(renew));
        const GenerationPtr old = self->mounter_->current();
        Edit none = [](Sources&) {
        };
        co_await apply(self, std::move(none));
        for (const Entry* entry : self->mounter_->current()->in_order()) {
            const Entry* was = old->find(entry->id);
            if (was != nullptr && was->plugin && entry->plugin && was->plugin != entry->plugin) {
                reloaded->push_back(entry->id);
            }
        }
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        self->modules_.restore(before);
        std::rethrow_exception(failure);
    }
}

Task<std::vector<std::string>> LiveTree::reload_plugins(std::vector<std::filesystem::path> libraries
) {
    const auto self = shared_from_this();
    const auto reloaded = std::make_shared<std::vector<std::string>>();
    Starter operation = [self, libraries, reloaded] {
        return reload_now(self, libraries, reloaded.get());
    };
    co_await perform(self, "reload of plugins", std::move(operation));
    co_return *reloaded;
}

Task<bool> LiveTree::await_all(std::shared_ptr<LiveTree> self) {
    do {
        co_await self->queue_->idle();
        co_await all_settled(self->parent_);
    } while (!self->queue_->is_idle());
    co_return true;
}

Task<> LiveTree::await(std::optional<std::chrono::steady_clock::duration> deadline) {
    const auto self = shared_from_this();
    if (deadline) {
        Task<bool> work = await_all(self);
        const std::optional<bool> ended = co_await with_timeout(std::move(work), *deadline);
        if (!ended) {
            throw Error{
                "loader entries are still loading: " + join(self->still_loading()), "TIMEOUT"};
        }
    } else {
        static_cast<void>(co_await await_all(self));
    }
    std::vector<std::string> failures;
    std::shared_ptr<const Error> cause;
    for (const Entry* entry : self->mounter_->current()->in_order()) {
        const std::exception_ptr error = entry->failure   ? entry->failure
                                         : entry->fiber() ? entry->fiber()->error()
                                                          : nullptr;
        if (error) {
            const Error failure =
                entry_error(*entry, entry->failure ? entry->stage : "apply", error);
            failures.push_back(failure.message());
            cause = cause ? cause : as_cause(error);
        }
    }
    if (failures.size() == 1) {
        throw Error{failures.front(), "ENTRY_FAILED", cause};
    }
    if (!failures.empty()) {
        throw Error{"loader fibers failed: " + join(failures, "; "), "ENTRIES_FAILED", cause};
    }
}

std::optional<std::string> LiveTree::locate(const FiberPtr& fiber) const {
    for (FiberPtr at = fiber; at; at = at->parent_fiber()) {
        if (auto id = mounter_->row_of(*at)) {
            return id;
        }
    }
    return std::nullopt;
}

std::vector<std::filesystem::path> LiveTree::included_files() const {
    std::set<std::filesystem::path> files;
    for (const auto& [id, document] : mounter_->current()->sources.documents) {
        files.insert(document.file);
    }
    return {files.begin(), files.end()};
}

std::vector<std::filesystem::path> LiveTree::libraries() const {
    std::set<PluginPtr> used;
    for (const Entry& entry : mounter_->current()->entries) {
        used.insert(entry.plugin);
    }
    std::vector<std::filesystem::path> files;
    for (const auto& [file, loaded] : modules_.opened()) {
        if (used.contains(loaded.plugin)) {
            files.push_back(file);
        }
    }
    return files;
}

void LiveTree::on_plugin_event(const FiberPtr& fiber) {
    if (fiber->uid() || !mounter_) {
        return;
    }
    const auto id = mounter_->row_of(*fiber);
    mounter_->forget(*fiber);
    const Entry* entry = id ? mounter_->current()->find(*id) : nullptr;
    if (entry == nullptr || entry->mount->is_in_hand || entry->fiber() != fiber) {
        return;
    }
    const auto owner = entry->mount->owner.lock();
    const bool goes_with_owner =
        !owner || !owner->uid() ||
        (owner->state() != FiberState::active && owner->state() != FiberState::loading);
    if (!goes_with_owner) {
        const auto self = shared_from_this();
        queue_->post("self-dispose", [self, id = *id, fiber] {
            Object off{{"disabled", true}};
            return record(self, id, fiber, std::move(off));
        });
    }
}

}  // namespace cordon
