#pragma once

#include <cordon/base/export.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace cordon {

class Context;

/// A subject that decides who hears of it, by the context in which the listener was registered.
template <typename T>
concept FiltersListeners = requires(const T& subject, const Context& listener) {
    { subject.accepts_listener(listener) } -> std::same_as<bool>;
};

/// What a dispatch is aimed at: which listeners it reaches, global ones apart, and the subject that
/// they are told (spec EVT-10, EVT-13). An empty one reaches all (spec EVT-12).
class CORDON_API EventTarget {
public:
    using Filter = std::function<bool(const Context& listener)>;

    EventTarget() = default;

    /// Reaches those whom `filter` accepts.
    explicit EventTarget(Filter filter) : filter_(std::move(filter)) {}

    /// Reaches those whom `subject` accepts; all, where it has no opinion.
    template <typename T>
    explicit EventTarget(std::shared_ptr<T> subject)
        : subject_(subject), subject_type_(&typeid(T)) {
        if constexpr (FiltersListeners<T>) {
            filter_ = [subject = std::move(subject)](const Context& listener) {
                return subject->accepts_listener(listener);
            };
        }
    }

    [[nodiscard]] bool has_filter() const noexcept { return filter_ != nullptr; }

    [[nodiscard]] bool accepts(const Context& listener) const { return filter_(listener); }

    /// Null where there is none, or one of another type.
    template <typename T>
    [[nodiscard]] std::shared_ptr<T> subject() const {
        return subject_type_ != nullptr && *subject_type_ == typeid(T)
                   ? std::static_pointer_cast<T>(subject_)
                   : nullptr;
    }

    [[nodiscard]] const std::shared_ptr<void>& subject() const noexcept { return subject_; }

private:
    Filter filter_;
    std::shared_ptr<void> subject_;
    const std::type_info* subject_type_ = nullptr;
};

}  // namespace cordon
