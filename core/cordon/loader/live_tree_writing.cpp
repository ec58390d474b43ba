#include <cordon/async/offload.hpp>
#include <cordon/base/error.hpp>
#include <cordon/loader/atomic_file.hpp>
#include <cordon/loader/live_tree.hpp>
#include <cordon/loader/loader_events.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {

/// The edit is made once more, of the rows as the files have them, without what patches make of
/// them, so that an overlay never leaks into a file (spec DIF-L3). A row that only a patch brought
/// in is not there, and nothing is written for it.
std::map<std::string, Value::Array> LiveTree::drafts(const Edit& edit) const {
    Sources files = mounter_->current()->sources;
    std::map<std::string, Value::Array> before;
    for (auto& [id, document] : files.documents) {
        document.rows = document.base;
        give_ids(document.rows);
        before.emplace(id, document.rows);
    }
    std::map<std::string, Value::Array> changed;
    try {
        edit(files);
    } catch (const Error& error) {
        if (error.code() == "ENTRY_NOT_FOUND" || error.code() == "NOT_A_GROUP") {
            return changed;
        }
        throw;
    }
    for (auto& [id, document] : files.documents) {
        if (document.rows != before.at(id)) {
            if (document.is_read_only) {
                throw Error{
                    fmt::format(
                        "cannot overwrite readonly config {}; give write permission to the file, "
                        "or change it and let it be read again",
                        document.file.string()
                    ),
                    "READ_ONLY"};
            }
            changed.emplace(id, std::move(document.rows));
        }
    }
    return changed;
}

Task<> LiveTree::write(std::shared_ptr<LiveTree> self, std::map<std::string, Value::Array> drafts) {
    for (auto& [id, rows] : drafts) {
        std::map<std::string, Document>& documents = self->mounter_->current()->sources.documents;
        const auto found = documents.find(id);
        if (found == documents.end()) {
            continue;  // the include has gone with the edit
        }
        const std::filesystem::path file = found->second.file;
        std::string text = document_text(file, rows);
        found->second.base = std::move(rows);
        found->second.text = text;  // reading it again finds nothing new (spec INC-15)
        self->mounter_->tell<ConfigUpdateEvent>(file);
        std::exception_ptr failure;
        try {
            auto writing = [file, text = std::move(text)] {
                write_atomically(file, text);
            };
            co_await offload(std::move(writing));
        } catch (...) {
            failure = as_error(std::current_exception());
        }
        if (failure) {
            self->mounter_->context().log(
                LogLevel::error,
                fmt::format(
                    "failed to write config file {}: {}", file.string(), message_of(failure)
                )
            );
        }
    }
}

Task<> LiveTree::apply_and_write(std::shared_ptr<LiveTree> self, Edit edit) {
    std::map<std::string, Value::Array> drafts = self->drafts(edit);
    co_await apply(self, std::move(edit));
    co_await write(self, std::move(drafts));
}

Task<> LiveTree::record(
    std::shared_ptr<LiveTree> self, std::string id, FiberPtr fiber, Object changes
) {
    Entry* entry = self->mounter_->current()->find(id);
    if (entry == nullptr || entry->fiber() != fiber || entry->is_default) {
        co_return;  // something else has happened to the row since
    }
    const Value previous = entry->row;
    const bool is_end = changes.find("disabled") != nullptr;
    const Value* was = entry->key("disabled");
    const bool is_computed = is_end && was != nullptr && was->as_expression() != nullptr;
    Edit edit = [self, entry, changes](Sources& sources) {
        RowEditor editor{sources};
        const RowPosition position = self->position_of(sources, *entry);
        Value row = editor.at(position);
        for (const Member& change : changes) {
            row.as_object()->set(change.key, change.value);
        }
        editor.at(position) = in_written_order(row);
    };
    std::map<std::string, Value::Array> drafts;
    std::exception_ptr refused;
    try {
        // The expression of a row that ended itself stays in the file (spec INC-20, DIF-L3).
        if (!is_computed) {
            drafts = self->drafts(edit);
        }
    } catch (...) {
        refused = std::current_exception();
    }
    if (refused) {
        self->mounter_->context().log(LogLevel::warn, message_of(refused));
    }
    Sources& sources = self->mounter_->current()->sources;
    edit(sources);
    entry->row = RowEditor{sources}.at(self->position_of(sources, *entry));
    if (is_end) {
        entry->disabled = true;
        entry->mount->fiber = nullptr;
        co_await fiber->dispose();
    } else {
        entry->mount->config = entry->config();
    }
    self->mounter_->tell<PartialDisposeEvent>(id, previous, true);
    co_await write(self, std::move(drafts));
}

/// A row that changes its own config keeps the change, once it runs with it (spec LDR-50).
Task<bool> LiveTree::watch_update(
    FiberPtr fiber, Value config, bool no_save, Next<Task<bool>> next
) {
    const auto self = shared_from_this();
    Task<bool> rest = next();
    const bool is_accepted = co_await std::move(rest);
    const auto id = mounter_ ? mounter_->row_of(*fiber) : std::nullopt;
    const Entry* entry = id ? mounter_->current()->find(*id) : nullptr;
    const bool is_own = entry != nullptr && entry->fiber() == fiber && !entry->mount->is_in_hand &&
                        !entry->carries_rows();
    if (is_accepted && !no_save && is_own) {
        queue_->post("self-update", [self, id = *id, fiber, config] {
            Object changes{{"config", config}};
            return record(self, id, fiber, std::move(changes));
        });
    }
    co_return is_accepted;
}

}  // namespace cordon
