#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cordon::expression {

class Evaluator;
class JsValue;
class Regex;
struct Bindings;
struct FunctionNode;
struct Url;

struct Undefined {
    friend bool operator==(const Undefined&, const Undefined&) = default;
};

struct Null {
    friend bool operator==(const Null&, const Null&) = default;
};

/// What a function of the host gets: the value it was called on, its arguments, and where the call
/// stands in the text.
struct Invocation {
    Evaluator& evaluator;
    const JsValue& self;
    std::span<const JsValue> arguments;
    std::size_t offset;

    /// Undefined where there are fewer arguments.
    [[nodiscard]] const JsValue& argument(std::size_t index) const;
};

using Native = JsValue (*)(const Invocation&);

struct NativeFunction {
    std::string_view name;
    Native call;
};

/// An object of the host: `process`, `Math`, `Number`, a module. Static data, compared by address.
struct Namespace {
    std::string_view name;
    std::span<const NativeFunction> functions;
    /// Null where it cannot be called, or cannot follow `new`.
    Native call = nullptr;
    Native construct = nullptr;
    /// Properties that are no functions; nothing for names that are refused. May be null.
    std::optional<JsValue> (*property)(Evaluator&, std::string_view name) = nullptr;
};

/// A method together with the value it was taken from.
struct BoundFunction;

/// A function of the expression itself. Node and bindings belong to the evaluation, which the
/// value never outlives.
struct Closure {
    const FunctionNode* node;
    const Bindings* bindings;
};

struct ErrorObject;

using JsArray = std::vector<JsValue>;
using JsObject = std::vector<std::pair<std::string, JsValue>>;

/// An array or object with the levels below it and its size when written out. Values are freed
/// level by level, so nesting without a bound would exhaust the stack; and content that is shared
/// many times is small in memory but not on paper.
template <typename Content>
struct Nested;

using TextPtr = std::shared_ptr<const std::string>;
using ArrayPtr = std::shared_ptr<const Nested<JsArray>>;
using ObjectPtr = std::shared_ptr<const Nested<JsObject>>;
using BoundPtr = std::shared_ptr<const BoundFunction>;
using ClosurePtr = std::shared_ptr<const Closure>;
using ErrorPtr = std::shared_ptr<const ErrorObject>;
using UrlPtr = std::shared_ptr<const Url>;
using RegexPtr = std::shared_ptr<const Regex>;

/// A JavaScript value. Nothing in an expression can change one, so copies share their content; two
/// arrays or objects are the same only where they share it.
class JsValue {
public:
    using Data = std::variant<
        Undefined,
        Null,
        bool,
        double,
        TextPtr,
        ArrayPtr,
        ObjectPtr,
        const Namespace*,
        BoundPtr,
        ClosurePtr,
        ErrorPtr,
        UrlPtr,
        RegexPtr>;

    JsValue() = default;

    template <typename T>

    requires(!std::same_as<std::remove_cvref_t<T>, JsValue> && std::constructible_from<Data, T>)
        JsValue(T&& data)
        : data_(std::forward<T>(data)) {}  // NOLINT(google-explicit-constructor)

    template <typename T>
    [[nodiscard]] const T* get_if() const {
        return std::get_if<T>(&data_);
    }

    [[nodiscard]] const std::string* text() const {
        const TextPtr* found = get_if<TextPtr>();
        return found == nullptr ? nullptr : found->get();
    }

    [[nodiscard]] const JsArray* array() const;
    [[nodiscard]] const JsObject* object() const;

    [[nodiscard]] bool is_undefined() const { return get_if<Undefined>() != nullptr; }

    [[nodiscard]] bool is_nullish() const { return is_undefined() || get_if<Null>() != nullptr; }

    [[nodiscard]] bool is_callable() const;

    /// Neither undefined, null, boolean, number nor text.
    [[nodiscard]] bool is_object() const { return data_.index() > 4; }

    /// `===`
    [[nodiscard]] bool same(const JsValue& other) const;

private:
    Data data_;
};

template <typename Content>
struct Nested {
    Content content;
    std::size_t depth = 1;
    std::size_t weight = 1;
};

struct BoundFunction {
    const NativeFunction* function;
    JsValue self;
};

struct ErrorObject {
    std::string name;
    std::string message;
};

/// Levels of arrays and objects in the value; 0 for a value without content.
[[nodiscard]] std::size_t nesting_of(const JsValue& value);

/// Size of the value when written out, in the order of steps it takes to look at all of it.
[[nodiscard]] std::size_t weight_of(const JsValue& value);

/// `undefined`, `boolean`, `object`, …: the operator `typeof`.
[[nodiscard]] std::string_view type_of(const JsValue& value);

/// For messages: `an array`, `null`, `a string`.
[[nodiscard]] std::string_view described(const JsValue& value);

[[nodiscard]] bool is_truthy(const JsValue& value);

/// `Number(value)` and `String(value)`, for every value but a function, whose text is its source.
[[nodiscard]] double to_number(const JsValue& value);
[[nodiscard]] std::string to_text(const JsValue& value);

/// `==`
[[nodiscard]] bool loosely_equal(const JsValue& left, const JsValue& right);

/// The number that a text says: blanks around it, `0x1F`, `Infinity`; NaN where it says none.
[[nodiscard]] double text_to_number(std::string_view text);

}  // namespace cordon::expression
