#include <cordon/base/text.hpp>
#include <cordon/runtime/home.hpp>

#include <string_view>

namespace cordon {

std::filesystem::path home_folder(const Variables& environment) {
    const auto value_of = [&](std::string_view name) {
        const auto found = environment.find(name);
        return found == environment.end() ? std::string{} : std::string{trim(found->second)};
    };
    const std::string chosen = value_of("CORDON_HOME");
    const std::filesystem::path user = value_of("HOME");
    if (chosen == "~" || chosen.starts_with("~/")) {
        return user.empty() ? std::filesystem::path{}
                            : user / chosen.substr(chosen.size() > 1 ? 2 : 1);
    }
    if (!chosen.empty()) {
        return std::filesystem::absolute(chosen).lexically_normal();
    }
    return user.empty() ? user : user / ".cordon";
}

}  // namespace cordon
