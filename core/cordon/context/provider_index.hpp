#pragma once

#include "registry.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

class ContainerCore;
class FiberImpl;

/// Who could bring which service, for those that explain a container: made at once for all of its
/// fibers, and good until something changes.
class ProviderIndex {
public:
    using Fibers = std::vector<std::shared_ptr<FiberImpl>>;

    explicit ProviderIndex(const ContainerCore& core);

    /// All but the root, by their uids.
    [[nodiscard]] const Fibers& fibers() const noexcept { return fibers_; }

    /// Those that declare to provide the service, in whatever scope.
    [[nodiscard]] const Fibers& declaring(std::string_view service) const;

    /// Those that could fill `slot` or have. Where a declaration is all there is to go by, their
    /// own scope counts, although a plugin may provide in another one. Who holds it stands last.
    [[nodiscard]] Fibers providers_of(const SlotKey& slot) const;

    /// Every name that was ever provided or is declared, sorted.
    [[nodiscard]] std::vector<std::string> known_names() const;

private:
    const ContainerCore& core_;
    Fibers fibers_;
    std::map<std::string, Fibers, std::less<>> declaring_;
};

}  // namespace cordon
