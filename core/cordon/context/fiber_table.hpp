#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
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

private:
    /// What the fibers of one plugin share; exists while there is one (spec REG-5).
    struct Record {
        std::uint64_t order = 0;
        std::size_t fibers = 0;
    };

    using Position = std::pair<std::uint64_t, std::uint64_t>;

    std::map<const PluginDescriptor*, Record> records_;
    std::map<Position, std::shared_ptr<FiberImpl>> fibers_;
    std::map<const FiberImpl*, Position> positions_;
    std::uint64_t added_ = 0;
};

}  // namespace cordon
