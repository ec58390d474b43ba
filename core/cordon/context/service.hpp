#pragma once

#include <cordon/base/export.hpp>

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>

namespace cordon {

/// What plugins provide to each other. A service definition is an abstract class derived from this
/// one with `static constexpr std::string_view service_name`, which is its slot's name.
///
/// Threads: unless a definition says otherwise, a service is used from the container's strand only.
class CORDON_API Service {
public:
    Service() = default;
    virtual ~Service();

    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
};

template <typename S>
concept ServiceDefinition = std::derived_from<S, Service> && requires {
    { S::service_name } -> std::convertible_to<std::string_view>;
};

/// A use of a service. Keeps the implementation alive until released; the container counts these
/// pins and names their owners when a provider goes while they are held (spec DIF-17). Empty where
/// a look-up found nothing.
template <typename S>
class ServiceHandle {
public:
    ServiceHandle() = default;

    ServiceHandle(std::shared_ptr<S> service, std::shared_ptr<void> pin)
        : pin_(std::move(pin)), service_(std::move(service)) {}

    [[nodiscard]] explicit operator bool() const noexcept { return service_ != nullptr; }

    [[nodiscard]] S& operator*() const noexcept { return *service_; }

    [[nodiscard]] S* operator->() const noexcept { return service_.get(); }

    /// The same use as one of another definition; empty where the service does not implement it.
    template <typename T>
    [[nodiscard]] ServiceHandle<T> as() const {
        auto service = std::dynamic_pointer_cast<T>(service_);
        return service ? ServiceHandle<T>{std::move(service), pin_} : ServiceHandle<T>{};
    }

private:
    std::shared_ptr<void> pin_;
    std::shared_ptr<S> service_;
};

}  // namespace cordon
