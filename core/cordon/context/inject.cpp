#include <cordon/context/inject.hpp>
#include <cordon/context/intercept.hpp>

#include <algorithm>

namespace cordon {

Inject::Inject(std::initializer_list<Injection> services) {
    for (const Injection& service : services) {
        add(service);
    }
}

Inject::Inject(const std::vector<std::string>& services) {
    for (const std::string& name : services) {
        add(Injection{name});
    }
}

void Inject::add(const Injection& service) {
    const auto known =
        std::find_if(services_.begin(), services_.end(), [&](const Injection& other) {
            return other.name == service.name;
        });
    if (known == services_.end()) {
        services_.push_back(service);
    } else {
        known->config = merge_layers({known->config, service.config});
    }
}

void Inject::add(const Inject& services) {
    for (const Injection& service : services) {
        add(service);
    }
}

bool Inject::contains(std::string_view name) const noexcept {
    return std::any_of(services_.begin(), services_.end(), [name](const Injection& service) {
        return service.name == name;
    });
}

std::vector<std::string> Inject::names() const {
    std::vector<std::string> names;
    for (const Injection& service : services_) {
        names.push_back(service.name);
    }
    return names;
}

}  // namespace cordon
