#include <cordon/loader/patch_row.hpp>

namespace cordon {

const PatchRow& PatchRow::top() const {
    const PatchRow* top = this;
    while (top->parent != nullptr) {
        top = top->parent;
    }
    return *top;
}

Value PatchRow::assemble() const {
    Value whole = row;
    if (children) {
        Value::Array& rows = *whole.as_object()->find("config")->as_array();
        for (const PatchRowPtr& child : *children) {
            rows.push_back(child->assemble());
        }
    }
    return whole;
}

void PatchRow::detach() {
    detached = true;
    parent = nullptr;  // which may go before this row does
    if (children) {
        for (const PatchRowPtr& child : *children) {
            child->detach();
        }
    }
}

}  // namespace cordon
