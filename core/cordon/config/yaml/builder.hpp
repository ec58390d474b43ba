#pragma once

#include <cordon/config/value.hpp>
#include <cordon/config/yaml/source.hpp>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cordon::yaml {

/// Makes the tree from yaml-cpp's events and checks what yaml-cpp does not: duplicate keys, keys
/// without a colon, unclosed quotes, tags, bounds. Problems of one value are collected; a bound
/// that is exceeded throws at once.
class Builder final : public YAML::EventHandler {
public:
    explicit Builder(const Source& source) : source_(source) {}

    /// Empty where the document was. Precondition: the document has ended.
    [[nodiscard]] std::optional<Value> take_root() { return std::move(root_); }

    [[nodiscard]] const std::vector<Diagnostic>& problems() const { return problems_; }

    /// Where the last value or key stood.
    [[nodiscard]] std::size_t last_offset() const { return last_offset_; }

    /// The innermost `[` or `{` that is still open.
    [[nodiscard]] std::optional<std::size_t> open_bracket() const;

    void OnDocumentStart(const YAML::Mark& mark) override;

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnScalar(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        const std::string& text
    ) override;
    void OnSequenceStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value style
    ) override;
    void OnSequenceEnd() override;
    void OnMapStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value style
    ) override;
    void OnMapEnd() override;

private:
    /// A value that is complete, with what it cost.
    struct Node {
        Value value;
        std::size_t offset = 0;
        YAML::anchor_t anchor = 0;
        std::size_t nodes = 1;
        std::size_t bytes = 0;
    };

    /// A list or mapping that is still open.
    struct Frame {
        bool is_mapping = false;
        bool is_flow = false;
        std::size_t offset = 0;
        YAML::anchor_t anchor = 0;
        std::size_t nodes = 1;
        std::size_t bytes = 0;
        Value::Array items;
        Object members;
        std::unordered_map<std::string, Mark> keys;
        std::optional<std::string> key;
        std::size_t key_offset = 0;
    };

    void open(
        bool is_mapping, std::size_t offset, YAML::anchor_t anchor, YAML::EmitterStyle::value style
    );
    void close();
    void complete(Node node);
    void add_key(Frame& mapping, const Node& node);
    void add_member(Frame& mapping, Node node);
    void check_colon(const Frame& mapping);
    void check_quote(std::size_t offset);
    [[nodiscard]] Value scalar_value(
        std::size_t offset, const std::string& tag, const std::string& text
    );
    [[nodiscard]] Value expression_value(std::size_t content, const std::string& text);
    void check_collection_tag(std::size_t offset, const std::string& tag, bool is_mapping);
    [[nodiscard]] Value mapping_value(Frame& mapping);
    void spend(std::size_t nodes, std::size_t bytes, std::size_t offset);
    void report(std::size_t offset, std::string problem, std::string hint);
    void report_problem(Diagnostic problem);

    const Source& source_;
    std::vector<Frame> open_;
    std::map<YAML::anchor_t, Node> anchors_;
    std::optional<Value> root_;
    std::vector<Diagnostic> problems_;
    std::size_t last_offset_ = 0;
    std::size_t tab_line_ = std::string::npos;  // reported already
    std::size_t nodes_ = 0;
    std::size_t copied_bytes_ = 0;
};

}  // namespace cordon::yaml
