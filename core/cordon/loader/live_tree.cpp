#include <cordon/async/shield.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/context/internal_events.hpp>
#include <cordon/context/settle.hpp>
#include <cordon/loader/audit.hpp>
#include <cordon/loader/live_tree.hpp>
#include <cordon/loader/loader_events.hpp>
#include <cordon/loader/row.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

EntryTree::~EntryTree() = default;

namespace {

/// The cause of the first problem, which is a root cause.
std::shared_ptr<const Error> cause_of(const RowProblem& problem) {
    const Entry& entry = *problem.entry;
    const std::exception_ptr failure =
        entry.failure || !entry.fiber() ? entry.failure : entry.fiber()->error();
    return failure ? as_cause(failure) : nullptr;
}

/// Whether a dependent asks to be started only when no operation is under way (spec LDR-58).
bool wants_quiet(const Context& dependent) {
    const Object config = dependent.config_for(EntryTree::service_name);
    const Value* wait = config.find("await");
    return wait != nullptr && is_truthy(*wait);
}

}  // namespace

LiveTree::LiveTree(Context parent, ModuleResolver& modules, MountOptions options)
    : parent_(std::move(parent)), modules_(modules), options_(std::move(options)) {}

Task<> LiveTree::serve(std::weak_ptr<LiveTree> self, Context context) {
    const auto tree = self.lock();
    ProvideOptions options;
    options.available = [self](const Context& dependent) {
        const auto quiet = self.lock();
        return !wants_quiet(dependent) ||
               (quiet && !quiet->is_booting_ && quiet->queue_->is_idle());
    };
    context.effect("loader operations", [self]() -> Task<> {
        const auto stopped = self.lock();
        return stopped->queue_->stop();
    });
    context.provide<EntryTree>(tree, std::move(options));
    context.on<PluginEvent>(
        [self](const FiberPtr& fiber) {
            if (const auto observer = self.lock()) {
                observer->on_plugin_event(fiber);
            }
        },
        ListenerOptions{.global = true}
    );
    context.on<UpdateEvent>(
        [self](const FiberPtr& fiber, const Value& config, bool no_save, Next<Task<bool>> next) {
            return self.lock()->watch_update(fiber, config, no_save, std::move(next));
        },
        ListenerOptions{.prepend = true, .global = true}
    );
    co_return;
}

Task<> LiveTree::begin(std::shared_ptr<LiveTree> self) {
    auto plugin = std::make_shared<PluginDescriptor>();
    plugin->name = "loader";
    plugin->provides = {std::string{service_name}};
    plugin->apply = [tree = std::weak_ptr{self}](Context context, const Value&) {
        return serve(tree, std::move(context));
    };
    self->queue_ = std::make_unique<SerialQueue>(self->parent_.executor(), [tree = self.get()] {
        tree->on_idle();
    });
    // Asked now, before rows provide services themselves.
    std::map<std::string, std::string> defaults = self->options_.defaults;
    std::erase_if(defaults, [&](const auto& provider) {
        return static_cast<bool>(self->parent_.find(provider.first));
    });
    self->fiber_ = self->parent_.plugin(std::move(plugin));
    co_await self->fiber_->settled();

    auto root = std::make_shared<Branch>();
    root->base_folder = self->options_.base_folder;
    root->scope = std::make_shared<RowScope>(self->options_.scope, root->base_folder);
    root->logs = self->options_.logs;
    const Context inside = self->fiber_->context();
    self->around_ = std::make_unique<Surroundings>(Surroundings{
        inside, self->modules_, std::move(defaults), std::move(root)});
    self->mounter_ = std::make_shared<Mounter>(inside);
    self->mounter_->adopt(std::make_shared<Generation>());
}

Task<> LiveTree::boot(std::shared_ptr<LiveTree> self, Composition composition) {
    Sources sources;
    sources.rows = std::move(composition.rows);
    GenerationPtr first = co_await prepare(*self->around_, std::move(sources), nullptr);
    self->mounter_->adopt(first);
    bool has_failed = false;
    for (const Entry& entry : first->entries) {
        has_failed = has_failed || entry.failure;
        self->mounter_->tell<EntryInitEvent>(entry.id);
    }
    if (has_failed && !self->options_.keep_going) {
        self->require_all_active();
    }
    self->mounter_->realise();
    co_await settle(self);
    self->is_booting_ = false;
    self->on_idle();
    co_await settle(self);
    const bool is_over = !self->parent_.fiber()->uid() || !self->fiber_->uid();
    if (is_over) {
        co_return;  // a plugin has ended the whole program already (spec BOOT-12)
    }
    for (const auto& [id, why] : self->mounter_->failures()) {
        first->find(id)->fail("apply", why);
    }
    if (self->options_.keep_going) {
        self->log_others();
    } else {
        self->require_all_active();
    }
}

/// Errors: `BOOT_FAILED` with a line for every row that is not active.
void LiveTree::require_all_active() const {
    const std::vector<RowProblem> problems = audit(*mounter_->current(), parent_);
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
void LiveTree::log_others() const {
    for (const RowProblem& problem : audit(*mounter_->current(), parent_)) {
        const FiberPtr& fiber = problem.entry->fiber();
        if (!fiber || !fiber->error()) {
            parent_.log(LogLevel::error, to_string(problem));
        }
    }
}

std::vector<std::string> LiveTree::still_loading() const {
    std::vector<std::string> rows;
    for (const Entry* entry : mounter_->current()->in_order()) {
        const FiberPtr& fiber = entry->fiber();
        const bool is_busy = fiber && (fiber->state() == FiberState::loading ||
                                       fiber->state() == FiberState::unloading);
        if (is_busy) {
            const std::string place = to_string(entry->place);
            rows.push_back(fmt::format(
                "'{}' ({}{}{})", entry->id, entry->name, place.empty() ? "" : ", ", place
            ));
        }
    }
    return rows;
}

void LiveTree::report_loading() const {
    const std::vector<std::string> rows = still_loading();
    if (!rows.empty()) {
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(options_.report_loading_after);
        parent_.log(
            LogLevel::warn, fmt::format("still loading after {} s: {}", seconds.count(), join(rows))
        );
    }
}

Task<> LiveTree::settle(std::shared_ptr<LiveTree> self) {
    asio::steady_timer slow{self->parent_.executor(), self->options_.report_loading_after};
    slow.async_wait([self](const boost::system::error_code& cancelled) {
        if (!cancelled) {
            self->report_loading();
        }
    });
    co_await all_settled(self->parent_);
}

std::vector<RowStatus> LiveTree::rows() const {
    const Generation& generation = *mounter_->current();
    std::map<const Entry*, std::string> problems;
    for (RowProblem& problem : audit(generation, parent_)) {
        problems.emplace(problem.entry, std::move(problem.text));
    }
    std::vector<RowStatus> rows;
    for (const Entry* entry : generation.in_order()) {
        const auto problem = problems.find(entry);
        rows.push_back(RowStatus{
            entry->id,
            entry->name,
            entry->place,
            entry->is_off(),
            entry->fiber(),
            problem == problems.end() ? std::string{} : problem->second,
            entry->owner == nullptr ? std::string{} : entry->owner->id,
            entry->plugin,
            entry->row});
    }
    return rows;
}

void LiveTree::on_idle() {
    if (!is_booting_ && fiber_->uid()) {
        static_cast<void>(fiber_->context().notify({std::string{service_name}}));
    }
}

Task<std::shared_ptr<EntryTree>> EntryTree::mount(
    Context parent, Composition composition, ModuleResolver& modules, MountOptions options
) {
    const auto tree = std::make_shared<LiveTree>(std::move(parent), modules, std::move(options));
    co_await LiveTree::begin(tree);
    std::exception_ptr failure;
    try {
        co_await LiveTree::boot(tree, std::move(composition));
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        if (is_cancellation(failure)) {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        }
        co_await shield(tree->dispose());
        std::rethrow_exception(failure);
    }
    std::shared_ptr<EntryTree> mounted = tree;
    co_return mounted;
}

}  // namespace cordon
