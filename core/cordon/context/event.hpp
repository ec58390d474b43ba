#pragma once

#include <cordon/base/export.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace cordon {

/// How the listeners of an event are called; part of each event's contract (spec EVT-27).
enum class Dispatch {
    /// One after the other, synchronously, without results (spec EVT-15).
    emit,
};

/// An event is a tag type: `name`, `Signature` of its listeners, `mode`.
///
///     struct BuildFinished {
///         static constexpr std::string_view name = "build/finished";
///         static constexpr Dispatch mode = Dispatch::emit;
///         using Signature = void(const Build&);
///     };
template <typename E>
concept EventDefinition = requires {
    typename E::Signature;
    { E::name } -> std::convertible_to<std::string_view>;
    { E::mode } -> std::convertible_to<Dispatch>;
};

struct ListenerOptions {
    /// Before the listeners that are there already (spec EVT-2).
    bool prepend = false;
};

/// One registered listener. Dispatch skips it from the moment its effect is undone, also in a
/// dispatch already under way (spec DIF-8).
class CORDON_API Listener {
public:
    Listener() = default;
    virtual ~Listener();

    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    bool alive = true;
};

using ListenerPtr = std::shared_ptr<Listener>;

template <EventDefinition E>
class TypedListener : public Listener {
public:
    explicit TypedListener(std::function<typename E::Signature> listener)
        : call(std::move(listener)) {}

    std::function<typename E::Signature> call;
};

}  // namespace cordon
