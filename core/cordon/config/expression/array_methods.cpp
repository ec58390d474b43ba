#include <cordon/config/expression/builtins.hpp>
#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/property.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

/// The methods of `Array.prototype` that change nothing.
namespace cordon::expression {
namespace {

const JsArray& self(const Invocation& call) {
    return *call.self.array();
}

JsValue list(const Invocation& call, JsArray items) {
    return call.evaluator.array(std::move(items), call.offset);
}

/// Calls the function that is the first argument with item, index and list.
JsValue callback(const Invocation& call, std::size_t index) {
    if (!call.argument(0).is_callable()) {
        throw_error(
            call.offset,
            "TypeError",
            fmt::format("{} is not a function", described(call.argument(0)))
        );
    }
    const std::array arguments{self(call)[index], JsValue{static_cast<double>(index)}, call.self};
    return call.evaluator.call(call.argument(0), arguments, call.offset);
}

/// The index of the first item that the function accepts; the size where there is none.
std::size_t first_accepted(const Invocation& call) {
    std::size_t index = 0;
    while (index < self(call).size() && !is_truthy(callback(call, index))) {
        ++index;
    }
    return index;
}

JsValue map(const Invocation& call) {
    JsArray result;
    for (std::size_t i = 0; i < self(call).size(); ++i) {
        result.push_back(callback(call, i));
    }
    return list(call, std::move(result));
}

JsValue filter(const Invocation& call) {
    JsArray result;
    for (std::size_t i = 0; i < self(call).size(); ++i) {
        if (is_truthy(callback(call, i))) {
            result.push_back(self(call)[i]);
        }
    }
    return list(call, std::move(result));
}

JsValue some(const Invocation& call) {
    return first_accepted(call) < self(call).size();
}

JsValue every(const Invocation& call) {
    for (std::size_t i = 0; i < self(call).size(); ++i) {
        if (!is_truthy(callback(call, i))) {
            return false;
        }
    }
    return true;
}

JsValue find(const Invocation& call) {
    const std::size_t index = first_accepted(call);
    return index < self(call).size() ? self(call)[index] : JsValue{};
}

JsValue find_index(const Invocation& call) {
    const std::size_t index = first_accepted(call);
    return index < self(call).size() ? static_cast<double>(index) : -1.0;
}

JsValue reduce(const Invocation& call) {
    const bool has_start = call.arguments.size() > 1;
    if (!has_start && self(call).empty()) {
        throw_error(call.offset, "TypeError", "Reduce of empty array with no initial value");
    }
    JsValue result = has_start ? call.argument(1) : self(call).front();
    for (std::size_t i = has_start ? 0 : 1; i < self(call).size(); ++i) {
        const std::array arguments{
            result, self(call)[i], JsValue{static_cast<double>(i)}, call.self};
        result = call.evaluator.call(call.argument(0), arguments, call.offset);
    }
    return result;
}

JsValue includes(const Invocation& call) {
    const JsValue& wanted = call.argument(0);
    const double* number = wanted.get_if<double>();
    const bool is_nan = number != nullptr && std::isnan(*number);
    return std::any_of(self(call).begin(), self(call).end(), [&](const JsValue& item) {
        const double* other = item.get_if<double>();
        return item.same(wanted) || (is_nan && other != nullptr && std::isnan(*other));
    });
}

JsValue index_of(const Invocation& call) {
    const auto found = std::find_if(self(call).begin(), self(call).end(), [&](const JsValue& item) {
        return item.same(call.argument(0));
    });
    return found == self(call).end() ? -1.0 : static_cast<double>(found - self(call).begin());
}

JsValue join(const Invocation& call) {
    const std::string separator =
        call.argument(0).is_undefined() ? "," : shown(call.argument(0), call.offset);
    call.evaluator.spend(self(call).size() * (1 + separator.size() / 16), call.offset);
    std::string result;
    for (std::size_t i = 0; i < self(call).size(); ++i) {
        result += i > 0 ? separator : "";
        result += self(call)[i].is_nullish() ? "" : shown(self(call)[i], call.offset);
    }
    return call.evaluator.text(std::move(result), call.offset);
}

JsValue to_string(const Invocation& call) {
    return call.evaluator.text(shown(call.self, call.offset), call.offset);
}

std::ptrdiff_t relative_index(const Invocation& call, std::size_t argument, double fallback) {
    const auto size = static_cast<double>(self(call).size());
    const double at = integer_argument(call, argument, fallback);
    return static_cast<std::ptrdiff_t>(at < 0 ? std::max(0.0, size + at) : std::min(at, size));
}

JsValue slice(const Invocation& call) {
    const std::ptrdiff_t begin = relative_index(call, 0, 0);
    const std::ptrdiff_t end = relative_index(call, 1, static_cast<double>(self(call).size()));
    const auto first = self(call).begin();
    return list(call, JsArray{first + begin, first + std::max(begin, end)});
}

JsValue concat(const Invocation& call) {
    JsArray result = self(call);
    for (const JsValue& argument : call.arguments) {
        if (const JsArray* items = argument.array()) {
            result.insert(result.end(), items->begin(), items->end());
        } else {
            result.push_back(argument);
        }
    }
    return list(call, std::move(result));
}

void flatten(JsArray& out, const JsArray& items, double depth) {
    for (const JsValue& item : items) {
        if (const JsArray* inner = depth > 0 ? item.array() : nullptr) {
            flatten(out, *inner, depth - 1);
        } else {
            out.push_back(item);
        }
    }
}

JsValue flat(const Invocation& call) {
    JsArray result;
    flatten(result, self(call), integer_argument(call, 0, 1));
    return list(call, std::move(result));
}

JsValue flat_map(const Invocation& call) {
    const JsValue mapped = map(call);
    JsArray result;
    flatten(result, *mapped.array(), 1);
    return list(call, std::move(result));
}

JsValue at(const Invocation& call) {
    const auto size = static_cast<double>(self(call).size());
    const double index = integer_argument(call, 0, 0);
    const double place = index < 0 ? size + index : index;
    return place >= 0 && place < size ? self(call)[static_cast<std::size_t>(place)] : JsValue{};
}

constexpr std::array kArrayMethods{
    NativeFunction{"at", at},
    NativeFunction{"concat", concat},
    NativeFunction{"every", every},
    NativeFunction{"filter", filter},
    NativeFunction{"find", find},
    NativeFunction{"findIndex", find_index},
    NativeFunction{"flat", flat},
    NativeFunction{"flatMap", flat_map},
    NativeFunction{"includes", includes},
    NativeFunction{"indexOf", index_of},
    NativeFunction{"join", join},
    NativeFunction{"map", map},
    NativeFunction{"reduce", reduce},
    NativeFunction{"slice", slice},
    NativeFunction{"some", some},
    NativeFunction{"toString", to_string}};

}  // namespace

std::span<const NativeFunction> array_methods() {
    return kArrayMethods;
}

}  // namespace cordon::expression
