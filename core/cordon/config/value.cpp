#include <cordon/config/value.hpp>

#include <algorithm>

namespace cordon {

Object::Object() = default;
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

Object::Object(std::initializer_list<std::pair<std::string_view, Value>> members) {
    for (const auto& [key, value] : members) {
        set(key, value);
    }
}

bool Object::empty() const noexcept {
    return members_.empty();
}

std::size_t Object::size() const noexcept {
    return members_.size();
}

const Member* Object::find_member(std::string_view key) const noexcept {
    const auto found = std::find_if(members_.begin(), members_.end(), [&](const Member& member) {
        return member.key == key;
    });
    return found == members_.end() ? nullptr : &*found;
}

const Value* Object::find(std::string_view key) const noexcept {
    const Member* member = find_member(key);
    return member == nullptr ? nullptr : &member->value;
}

Value* Object::find(std::string_view key) noexcept {
    return const_cast<Value*>(std::as_const(*this).find(key));
}

Value& Object::set(std::string_view key, Value value, Mark key_mark) {
    if (Value* existing = find(key)) {
        *existing = std::move(value);
        return *existing;
    }
    return append(Member{std::string{key}, std::move(value), std::move(key_mark)});
}

Value& Object::append(Member member) {
    return members_.emplace_back(std::move(member)).value;
}

bool Object::erase(std::string_view key) {
    return std::erase_if(members_, [&](const Member& member) { return member.key == key; }) > 0;
}

const Member* Object::begin() const noexcept {
    return members_.data();
}

const Member* Object::end() const noexcept {
    return members_.data() + members_.size();
}

Member* Object::begin() noexcept {
    return members_.data();
}

Member* Object::end() noexcept {
    return members_.data() + members_.size();
}

bool operator==(const Object& left, const Object& right) {
    return left.size() == right.size() &&
           std::all_of(left.begin(), left.end(), [&](const Member& member) {
               const Value* other = right.find(member.key);
               return other != nullptr && *other == member.value;
           });
}

std::string_view kind_name(Value::Kind kind) {
    switch (kind) {
        case Value::Kind::null:
            return "null";
        case Value::Kind::boolean:
            return "boolean";
        case Value::Kind::number:
            return "number";
        case Value::Kind::string:
            return "string";
        case Value::Kind::expression:
            return "expression";
        case Value::Kind::array:
            return "list";
        case Value::Kind::object:
            return "mapping";
    }
    return "value";
}

}  // namespace cordon
