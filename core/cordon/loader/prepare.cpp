#include <cordon/async/offload.hpp>
#include <cordon/base/error.hpp>
#include <cordon/loader/import.hpp>
#include <cordon/loader/prepare.hpp>
#include <cordon/loader/row_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>
#include <vector>

namespace cordon {
namespace {

class Preparation {
public:
    Preparation(
        const Surroundings& around, Sources sources, std::shared_ptr<const Generation> previous
    )
        : around_(around),
          previous_(std::move(previous)),
          next_(make_generation(std::move(sources), around.root)) {}

    /// Evaluates `disabled` of every row that has not been decided yet.
    void decide();

    /// Includes that are wanted and have no rows yet.
    [[nodiscard]] std::vector<Entry*> unread() const;

    /// Blocks.
    void read(const std::vector<Entry*>& includes);

    /// Makes entries of what was read, or takes over what is known of the file already.
    void attach(const std::vector<Entry*>& includes);

    /// Blocks.
    void import();

    [[nodiscard]] GenerationPtr finish();

private:
    void read(Entry& include);
    void attach(Entry& include);
    [[nodiscard]] bool has_row_for(const std::pair<const std::string, std::string>& provider) const;

    const Surroundings& around_;
    std::shared_ptr<const Generation> previous_;
    GenerationPtr next_;
    std::set<const Entry*> decided_;
    std::set<const Entry*> attached_;
};

void Preparation::decide() {
    for (Entry* entry : next_->in_order()) {
        const bool is_out =
            entry->owner != nullptr && (entry->owner->is_off() || !entry->owner->is_wanted());
        if (is_out || !decided_.insert(entry).second) {
            continue;  // whatever it says, it stays off with its group
        }
        try {
            entry->disabled = is_switched_off(*entry, *entry->branch->scope, around_.context);
        } catch (...) {
            entry->fail("apply", as_error(std::current_exception()));
        }
    }
}

std::vector<Entry*> Preparation::unread() const {
    std::vector<Entry*> includes;
    for (Entry* entry : next_->in_order()) {
        if (entry->kind == RowKind::include && entry->is_wanted() && !attached_.contains(entry)) {
            includes.push_back(entry);
        }
    }
    return includes;
}

/// A file that includes itself would never end.
void refuse_circle(const Entry& include, const std::filesystem::path& file) {
    for (const Entry* owner = include.owner; owner != nullptr; owner = owner->owner) {
        if (owner->file == file) {
            throw Error{
                fmt::format("{} includes itself, by way of '{}'", file.string(), include.id),
                "INCLUDE_CYCLE"};
        }
    }
}

void Preparation::read(Entry& include) {
    const Branch& outer = *include.branch;
    const IncludeConfig config = include_config(include.row, outer.base_folder, outer.logs);
    refuse_circle(include, config.file);
    std::map<std::string, Document>& documents = next_->sources.documents;
    const auto known = documents.find(include.id);
    if (known == documents.end() || known->second.file != config.file) {
        documents.insert_or_assign(include.id, read_document(config, around_.missing_files));
    } else if (known->second.patches != config.patches) {
        patch_document(known->second, config);
    }
}

void Preparation::read(const std::vector<Entry*>& includes) {
    for (Entry* include : includes) {
        try {
            read(*include);
        } catch (...) {
            include->fail("apply", as_error(std::current_exception()));
        }
    }
}

void Preparation::attach(Entry& include) {
    const Branch& outer = *include.branch;
    const IncludeConfig config = include_config(include.row, outer.base_folder, outer.logs);
    auto branch = std::make_shared<Branch>();
    branch->prefix = include.id + ":";
    branch->file = config.file;
    branch->base_folder = config.file.parent_path();
    branch->scope = outer.scope->beside(branch->base_folder);
    branch->logs = config.logs;
    attach_document(*next_, include, std::move(branch));
}

void Preparation::attach(const std::vector<Entry*>& includes) {
    for (Entry* include : includes) {
        attached_.insert(include);
        if (include->failure) {
            continue;
        }
        try {
            attach(*include);
        } catch (...) {
            include->fail("apply", as_error(std::current_exception()));
        }
    }
}

void Preparation::import() {
    import_plugins(next_->entries, around_.modules);
    std::set<std::string> considered;
    for (bool is_complete = false; !is_complete;) {
        is_complete = true;
        for (const std::string& service : lacking_services(*next_)) {
            const auto plugin = around_.defaults.find(service);
            const bool is_new = considered.insert(service).second;
            // A row of that plugin, even a disabled one, is the composition's own decision.
            if (is_new && plugin != around_.defaults.end() && !has_row_for(*plugin)) {
                add_default(*next_, around_.root, service, plugin->second);
                is_complete = false;
            }
        }
        import_plugins(next_->entries, around_.modules);
    }
}

bool Preparation::has_row_for(const std::pair<const std::string, std::string>& provider) const {
    const auto& [service, plugin] = provider;
    const std::string name = around_.modules.canonical_name(plugin);
    return std::any_of(next_->entries.begin(), next_->entries.end(), [&](const Entry& entry) {
        return !entry.isolates(service) && around_.modules.canonical_name(entry.name) == name;
    });
}

GenerationPtr Preparation::finish() {
    std::set<std::string> present;
    for (const Entry& entry : next_->entries) {
        present.insert(entry.id);
    }
    std::erase_if(next_->sources.documents, [&](const auto& document) {
        return !present.contains(document.first);
    });
    if (previous_) {
        inherit_mounts(*next_, *previous_);
    }
    return next_;
}

}  // namespace

std::set<std::string> lacking_services(const Generation& generation) {
    std::set<std::string> needed;
    std::set<std::string> provided;
    // A slot that is private to a row or its group neither fills theirs nor is filled by it.
    const auto add = [](std::set<std::string>& names, const Entry& entry, const auto& services) {
        std::copy_if(
            services.begin(),
            services.end(),
            std::inserter(names, names.end()),
            [&](const std::string& service) { return !entry.isolates(service); }
        );
    };
    for (const Entry& entry : generation.entries) {
        if (!entry.is_wanted()) {
            continue;
        }
        add(needed, entry, added_services(entry).names());
        if (entry.plugin) {
            add(needed, entry, entry.plugin->inject.names());
            add(provided, entry, entry.plugin->provides);
        }
    }
    std::set<std::string> lacking;
    std::set_difference(
        needed.begin(),
        needed.end(),
        provided.begin(),
        provided.end(),
        std::inserter(lacking, lacking.end())
    );
    return lacking;
}

Task<GenerationPtr> prepare(
    const Surroundings& around, Sources sources, std::shared_ptr<const Generation> previous
) {
    const auto preparation =
        std::make_shared<Preparation>(around, std::move(sources), std::move(previous));
    for (;;) {
        preparation->decide();
        const std::vector<Entry*> includes = preparation->unread();
        if (includes.empty()) {
            break;
        }
        auto read = [preparation, &includes] {
            preparation->read(includes);
        };
        co_await offload(std::move(read));
        preparation->attach(includes);
    }
    auto import = [preparation] {
        preparation->import();
    };
    co_await offload(std::move(import));
    co_return preparation->finish();
}

}  // namespace cordon
