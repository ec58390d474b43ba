#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

class FiberImpl;
struct PluginDescriptor;

/// The fibers whose disposal has not begun, in the order in which their plugins were first applied,
/// then in that of their own application. Everybody is told of changes in this order (spec SVC-37).
class FiberTable {
public:
    void add(const std::shared_ptr<FiberImpl>& fiber);
    void remove(const FiberImpl& fiber);

    void clear();

    /// A copy: what is called for its members may change the table.
    [[nodiscard]] std::vector<std::shared_ptr<FiberImpl>> all() const;

    /// The first one that `predicate`, which changes nothing, accepts; null where it accepts none.
    template <typename Predicate>
    [[nodiscard]] std::shared_ptr<FiberImpl> find_if(const Predicate& predicate) const {
        for (const auto& [position, fiber] : fibers_) {
            if (predicate(*fiber)) {
                return fiber;
            }
        }
        return nullptr;
    }

    /// Those that require a service of this name in some scope. A copy too.
    [[nodiscard]] std::vector<std::shared_ptr<FiberImpl>> requiring(std::string_view service) const;
    /// Those that require any of them, each once.
    [[nodiscard]] std::vector<std::shared_ptr<FiberImpl>> requiring(
        const std::vector<std::string>& services
    ) const;

    /// The plugins with a fiber in the table, by their first application (spec REG-7).
    [[nodiscard]] std::vector<std::shared_ptr<const PluginDescriptor>> plugins() const;

    [[nodiscard]] std::size_t plugin_count() const noexcept { return records_.size(); }

    [[nodiscard]] bool contains(const PluginDescriptor& plugin) const {
        return records_.contains(&plugin);
    }

    [[nodiscard]] std::vector<std::shared_ptr<FiberImpl>> fibers_of(const PluginDescriptor& plugin
    ) const;

    /// For a fiber that is in the table and requires `service` from now on.
    void add_requirement(const FiberImpl& fiber, const std::string& service);

private:
    /// What the fibers of one plugin share; exists while there is one (spec REG-5).
    struct Record {
        /// The number of the first fiber.
        std::uint64_t order = 0;
        std::size_t fibers = 0;
    };

    /// The order of its plugin and its own number.
    using Position = std::pair<std::uint64_t, std::uint64_t>;
    using Fibers = std::map<Position, std::shared_ptr<FiberImpl>>;

    /// Of a fiber whose plugin has a record.
    [[nodiscard]] Position position_of(const FiberImpl& fiber) const;
    [[nodiscard]] static std::vector<std::shared_ptr<FiberImpl>> copy(const Fibers& from);

    std::map<const PluginDescriptor*, Record> records_;
    Fibers fibers_;
    std::map<std::string, Fibers, std::less<>> by_service_;
};

}  // namespace cordon
