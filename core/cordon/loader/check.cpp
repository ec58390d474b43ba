#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/loader/check.hpp>
#include <cordon/loader/prepare.hpp>
#include <cordon/loader/row_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace cordon {
namespace {

/// Whether some expression in it looks at services, which are there only when rows run.
bool asks_services(const Value& value) {
    if (const Expression* expression = value.as_expression()) {
        return expression->source.find("ctx") != std::string::npos;
    }
    if (const Value::Array* items = value.as_array()) {
        return std::any_of(items->begin(), items->end(), asks_services);
    }
    const Object* members = value.as_object();
    return members != nullptr &&
           std::any_of(members->begin(), members->end(), [](const Member& member) {
               return asks_services(member.value);
           });
}

class RowCheck {
public:
    RowCheck(const Generation& generation, const Context& context)
        : generation_(generation), context_(context) {
        for (const Entry& entry : generation.entries) {
            if (entry.is_wanted() && entry.plugin) {
                for (const std::string& service : entry.plugin->provides) {
                    providers_[service].push_back(&entry);
                }
            }
        }
    }

    [[nodiscard]] std::vector<Diagnostic> run() {
        for (const Entry* entry : generation_.in_order()) {
            if (entry->failure) {
                report_failure(*entry, entry->failure);
            } else if (entry->is_wanted()) {
                check_config(*entry);
                check_services(*entry);
            }
        }
        for (const Entry* entry : generation_.in_order()) {
            if (entry->is_wanted() && !walked_.contains(entry)) {
                walk(*entry);
            }
        }
        return std::move(found_);
    }

private:
    void report(const Entry& entry, std::string problem, std::string hint = {}) {
        found_.push_back(Diagnostic{
            Severity::error, entry.place, subject(entry), std::move(problem), std::move(hint)});
    }

    [[nodiscard]] static std::string subject(const Entry& entry) {
        return fmt::format("row '{}' ({})", entry.id, entry.name);
    }

    void add(const Entry& entry, std::vector<Diagnostic> problems) {
        for (Diagnostic& problem : problems) {
            problem.subject =
                subject(entry) + (problem.subject.empty() ? "" : ": " + problem.subject);
            if (problem.place == Place{}) {
                problem.place = entry.place;
            }
            found_.push_back(std::move(problem));
        }
    }

    void report_failure(const Entry& entry, const std::exception_ptr& failure) {
        try {
            std::rethrow_exception(failure);
        } catch (const DiagnosticError& error) {
            add(entry, error.diagnostics());
        } catch (...) {
            report(entry, message_of(std::current_exception()));
        }
    }

    void check_config(const Entry& entry) {
        const Value raw = entry.config();
        if (!entry.plugin || !entry.plugin->schema.check || asks_services(raw)) {
            return;
        }
        try {
            const std::optional<Value> config = interpolate(raw, entry.branch->scope->in(context_));
            add(entry, entry.plugin->schema.check(config.value_or(Value{})));
        } catch (...) {
            report_failure(entry, std::current_exception());
        }
    }

    [[nodiscard]] static std::vector<std::string> needs(const Entry& entry) {
        Inject services = added_services(entry);
        if (entry.plugin) {
            services.add(entry.plugin->inject);
        }
        return services.names();
    }

    [[nodiscard]] bool is_given_by_host(const std::string& service) const {
        return service == EntryTree::service_name || static_cast<bool>(context_.find(service));
    }

    void check_services(const Entry& entry) {
        for (const std::string& service : needs(entry)) {
            if (providers_.contains(service) || is_given_by_host(service)) {
                continue;
            }
            std::vector<std::string> names;
            for (const auto& [name, rows] : providers_) {
                names.push_back(name);
            }
            const auto nearest = nearest_name(service, names);
            report(
                entry,
                fmt::format("needs the service '{}', which no row provides", service),
                nearest ? fmt::format("Perhaps '{}' is meant", *nearest) : hint_for_nobody()
            );
        }
    }

    /// What a plugin that could not be loaded would provide is not known.
    [[nodiscard]] std::string hint_for_nobody() const {
        const bool has_failed = std::any_of(
            generation_.entries.begin(),
            generation_.entries.end(),
            [](const Entry& entry) { return entry.failure && entry.stage == "import"; }
        );
        return has_failed ? "Put the rows right whose plugins cannot be loaded; one may provide it"
                          : "Add or enable a row whose plugin provides it";
    }

    /// Goes along what each row surely waits for: services with one provider, none of them private
    /// to a row. Every circle is found at the row where it closes.
    void walk(const Entry& entry) {
        walked_.insert(&entry);
        way_.push_back({&entry, ""});
        for (const std::string& service : needs(entry)) {
            const auto rows = providers_.find(service);
            const bool is_sure = rows != providers_.end() && rows->second.size() == 1 &&
                                 !entry.isolates(service) &&
                                 !rows->second.front()->isolates(service);
            if (!is_sure || is_given_by_host(service)) {
                continue;
            }
            way_.back().service = service;
            const Entry& provider = *rows->second.front();
            const auto start = std::find_if(way_.begin(), way_.end(), [&](const Step& step) {
                return step.row == &provider;
            });
            if (start != way_.end()) {
                report_circle(start);
            } else if (!walked_.contains(&provider)) {
                walk(provider);
            }
        }
        way_.pop_back();
    }

    struct Step {
        const Entry* row;
        std::string service;
    };

    void report_circle(std::vector<Step>::const_iterator start) {
        std::string text;
        for (auto step = start; step != way_.end(); ++step) {
            text += fmt::format("row '{}' -> {} -> ", step->row->id, step->service);
        }
        report(
            *start->row,
            fmt::format("these rows wait for each other: {}row '{}'", text, start->row->id),
            "Have one of them use the service optionally, or take it away"
        );
    }

    const Generation& generation_;
    const Context& context_;
    std::map<std::string, std::vector<const Entry*>> providers_;
    std::set<const Entry*> walked_;
    std::vector<Step> way_;
    std::vector<Diagnostic> found_;
};

}  // namespace

Task<std::vector<Diagnostic>> check_rows(
    Context context, Composition composition, ModuleResolver& modules, MountOptions options
) {
    auto root = std::make_shared<Branch>();
    root->base_folder = options.base_folder;
    root->scope = std::make_shared<RowScope>(options.scope, root->base_folder);
    const Surroundings around{
        context, modules, std::move(options.defaults), std::move(root), MissingFile::imagine};
    Sources sources;
    sources.rows = std::move(composition.rows);
    const GenerationPtr generation = co_await prepare(around, std::move(sources), nullptr);
    RowCheck check{*generation, context};
    std::vector<Diagnostic> found = std::move(composition.warnings);
    for (Diagnostic& problem : check.run()) {
        found.push_back(std::move(problem));
    }
    co_return found;
}

}  // namespace cordon
