#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cordon {

/// Where a value stood in its file. Cheap to copy: every value of a file shares the file's name.
struct Mark {
    std::shared_ptr<const std::string> file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    /// The value is what an expression gave. It may come from the environment, so no message shows
    /// it.
    bool is_computed = false;

    /// Without a file for values that a program made.
    [[nodiscard]] Place place() const {
        return Place{
            file ? *file : std::string{}, static_cast<int>(line), static_cast<int>(column)};
    }
};

/// The text of a `!!js` value, not evaluated.
struct Expression {
    std::string source;

    friend bool operator==(const Expression&, const Expression&) = default;
};

class Value;
struct Member;

/// A mapping in the order of the file. Keys are unique.
class CORDON_API Object {
public:
    Object();
    Object(std::initializer_list<std::pair<std::string_view, Value>> members);
    Object(const Object&);
    Object(Object&&) noexcept;
    Object& operator=(const Object&);
    Object& operator=(Object&&) noexcept;
    ~Object();

    [[nodiscard]] bool empty() const noexcept;
    [[nodiscard]] std::size_t size() const noexcept;

    /// Null where there is no such key. Valid until the object changes.
    [[nodiscard]] const Value* find(std::string_view key) const noexcept;
    [[nodiscard]] Value* find(std::string_view key) noexcept;
    [[nodiscard]] const Member* find_member(std::string_view key) const noexcept;

    /// Replaces the value in place, or appends the key.
    Value& set(std::string_view key, Value value, Mark key_mark = {});

    /// The same for a key that the caller knows to be new: no search.
    Value& append(Member member);
    bool erase(std::string_view key);

    [[nodiscard]] const Member* begin() const noexcept;
    [[nodiscard]] const Member* end() const noexcept;
    [[nodiscard]] Member* begin() noexcept;
    [[nodiscard]] Member* end() noexcept;

    /// Same keys with equal values; order and marks do not count.
    friend CORDON_API bool operator==(const Object& left, const Object& right);

private:
    std::vector<Member> members_;
};

/// A node of configuration: the JSON data model plus expressions, with the place it came from.
///
/// A value type: copies are deep, so no two owners can change each other's tree (spec DIF-L4).
/// Numbers are doubles, as in the dialect; every integer up to 2^53 is exact.
class CORDON_API Value {
public:
    enum class Kind { null, boolean, number, string, expression, array, object };
    using Array = std::vector<Value>;

    Value() = default;

    Value(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)

    Value(bool boolean) : data_(boolean) {}  // NOLINT(google-explicit-constructor)

    Value(double number) : data_(number) {}  // NOLINT(google-explicit-constructor)

    Value(int number) : data_(double(number)) {}  // NOLINT(google-explicit-constructor)

    Value(std::string text) : data_(std::move(text)) {}  // NOLINT(google-explicit-constructor)

    Value(std::string_view text)
        : data_(std::string{text}) {}  // NOLINT(google-explicit-constructor)

    Value(const char* text) : data_(std::string{text}) {}  // NOLINT(google-explicit-constructor)

    Value(Expression expression) : data_(std::move(expression)) {}  // NOLINT

    Value(Array items) : data_(std::move(items)) {}  // NOLINT

    Value(Object members) : data_(std::move(members)) {}  // NOLINT

    [[nodiscard]] Kind kind() const noexcept { return static_cast<Kind>(data_.index()); }

    [[nodiscard]] bool is_null() const noexcept { return kind() == Kind::null; }

    /// Null where the value is of another kind. Valid until the value changes.
    template <typename T>
    [[nodiscard]] const T* get_if() const noexcept {
        return std::get_if<T>(&data_);
    }

    template <typename T>
    [[nodiscard]] T* get_if() noexcept {
        return std::get_if<T>(&data_);
    }

    [[nodiscard]] const bool* as_boolean() const noexcept { return get_if<bool>(); }

    [[nodiscard]] const double* as_number() const noexcept { return get_if<double>(); }

    [[nodiscard]] const std::string* as_string() const noexcept { return get_if<std::string>(); }

    [[nodiscard]] const Expression* as_expression() const noexcept { return get_if<Expression>(); }

    [[nodiscard]] const Array* as_array() const noexcept { return get_if<Array>(); }

    [[nodiscard]] Array* as_array() noexcept { return get_if<Array>(); }

    [[nodiscard]] const Object* as_object() const noexcept { return get_if<Object>(); }

    [[nodiscard]] Object* as_object() noexcept { return get_if<Object>(); }

    [[nodiscard]] const Mark& mark() const noexcept { return mark_; }

    void set_mark(Mark mark) { mark_ = std::move(mark); }

    [[nodiscard]] Place place() const { return mark_.place(); }

    /// Marks do not count.
    friend bool operator==(const Value& left, const Value& right) {
        return left.data_ == right.data_;
    }

private:
    // The order is that of Kind.
    std::variant<std::monostate, bool, double, std::string, Expression, Array, Object> data_;
    Mark mark_;
};

/// One key of a mapping.
struct Member {
    std::string key;
    Value value;
    Mark key_mark;
};

/// `null`, `boolean`, `number`, `string`, `expression`, `list`, `mapping`: the words of messages.
[[nodiscard]] CORDON_API std::string_view kind_name(Value::Kind kind);

}  // namespace cordon
