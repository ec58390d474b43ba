#pragma once

#include <cordon/async/task.hpp>
#include <cordon/context/context.hpp>
#include <cordon/loader/generation.hpp>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cordon {

/// Starts, moves and stops what runs for single rows. Shared, because groups mount their rows again
/// whenever they load. Private to the room.
///
/// Threads: strand only.
class Mounter : public std::enable_shared_from_this<Mounter> {
public:
    /// Rows of the top level are children of `context`'s fiber.
    explicit Mounter(Context context);

    [[nodiscard]] const Context& context() const noexcept { return context_; }

    [[nodiscard]] const GenerationPtr& current() const noexcept { return current_; }

    /// From now on groups mount the rows that they have in this generation. Starts nothing.
    void adopt(GenerationPtr generation) { current_ = std::move(generation); }

    /// Starts every wanted row that does not run, and moves those that run elsewhere or in another
    /// scope. Rows inside a group that has yet to load follow when it does.
    void realise();

    /// Moves a running row, whose group is about to go, to the top level for the time being.
    void park(const Entry& entry);

    /// Gives the running row the config that it should have (spec LDR-22).
    [[nodiscard]] static Task<> update(std::shared_ptr<Mounter> self, const Entry& entry);

    /// Stops what runs, and waits (spec LDR-33).
    [[nodiscard]] static Task<> stop(std::shared_ptr<Mounter> self, const Entry& entry);

    /// What kept rows of the current generation from being started, moved or updated, by id.
    [[nodiscard]] std::map<std::string, std::exception_ptr>& failures() noexcept {
        return failures_;
    }

    /// Tells observers, whose failures are logged.
    template <EventDefinition E, typename... Arguments>
    void tell(const Arguments&... arguments) const {
        try {
            context_.emit<E>(arguments...);
        } catch (...) {
            report(E::name, std::current_exception());
        }
    }

    void log(const Entry& entry, std::string_view what) const;

    /// The row that was started as this fiber; empty where none was.
    [[nodiscard]] std::optional<std::string> row_of(const Fiber& fiber) const;

    /// Its disposal has begun.
    void forget(const Fiber& fiber) { rows_.erase(&fiber); }

    /// Eight hexadecimal digits that no row has (spec LDR-4).
    [[nodiscard]] std::string fresh_id();

private:
    void realise(const Entry& entry, const Context& owner);
    void start(const Entry& entry, const Context& owner);
    void move(const Entry& entry, const Context& owner);
    [[nodiscard]] PluginPtr carrier_plugin(const Entry& entry);
    static Task<> mount_children(std::weak_ptr<Mounter> self, std::string id, Context context);
    [[nodiscard]] bool may_patch(const Entry& entry) const;
    void report(std::string_view event, const std::exception_ptr& failure) const;

    Context context_;
    GenerationPtr current_;
    std::map<std::string, std::exception_ptr> failures_;
    /// Fibers of rows, from their start to the end of their disposal.
    std::unordered_map<const Fiber*, std::string> rows_;
    std::uint32_t last_id_ = 0;
};

/// Whether the row runs where and as it should, but for its config.
[[nodiscard]] bool is_same_instance(const Entry& entry);

}  // namespace cordon
