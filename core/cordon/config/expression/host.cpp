#include <cordon/config/expression/builtins.hpp>
#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/path.hpp>
#include <cordon/config/expression/property.hpp>
#include <cordon/config/expression/url.hpp>

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

/// What the host shows: `ctx`, `process` and the modules of pure functions.
namespace cordon::expression {
namespace {

JsValue text(const Invocation& call, std::string content) {
    return call.evaluator.text(std::move(content), call.offset);
}

/// A text argument; JavaScript's path functions refuse everything else too.
const std::string& text_argument(const Invocation& call, std::size_t index) {
    const std::string* found = call.argument(index).text();
    if (found == nullptr) {
        throw_error(
            call.offset,
            "TypeError",
            fmt::format(
                "expected a string as argument {}, found {}",
                index + 1,
                described(call.argument(index))
            ),
            "Give a default: x ?? 'text'"
        );
    }
    return *found;
}

std::vector<std::string> text_arguments(const Invocation& call) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        texts.push_back(text_argument(call, i));
    }
    return texts;
}

std::optional<std::string> environment(Evaluator& evaluator, std::string_view name) {
    const auto found = evaluator.scope().environment.find(name);
    if (found == evaluator.scope().environment.end()) {
        return std::nullopt;
    }
    evaluator.read_private();
    return found->second;
}

JsValue context_get(const Invocation& call) {
    const std::string& name = text_argument(call, 0);
    const ExpressionScope& scope = call.evaluator.scope();
    if (scope.service) {
        if (const std::optional<Value> found = scope.service(name)) {
            call.evaluator.read_private();
            return call.evaluator.from_host(*found, call.offset);
        }
    }
    return {};
}

std::optional<JsValue> context_member(Evaluator& evaluator, std::string_view name) {
    return context_property(evaluator, std::string{name}, 0).value_or(JsValue{});
}

std::optional<JsValue> environment_member(Evaluator& evaluator, std::string_view name) {
    const std::optional<std::string> value = environment(evaluator, name);
    return value ? evaluator.text(*value, 0) : JsValue{};
}

JsValue process_cwd(const Invocation& call) {
    return text(call, call.evaluator.scope().cwd);
}

JsValue process_module(const Invocation& call) {
    const std::string& name = text_argument(call, 0);
    constexpr std::string_view kPrefix = "node:";
    const std::string_view plain =
        std::string_view{name}.substr(name.starts_with(kPrefix) ? kPrefix.size() : 0);
    for (const Namespace* known : {&kPathModule, &kUrlModule, &kOsModule}) {
        if (known->name.substr(kPrefix.size()) == plain) {
            return known;
        }
    }
    refuse(
        call.offset,
        "this module is not available in expressions, which read nothing but their scope",
        "Use node:path, node:url or node:os"
    );
}

std::optional<JsValue> process_member(Evaluator& evaluator, std::string_view name) {
    const ExpressionScope& scope = evaluator.scope();
    if (name == "env") {
        return &kEnvironment;
    }
    if (name == "pid") {
        return static_cast<double>(scope.pid);
    }
    const std::pair<std::string_view, const std::string*> texts[] = {
        {"platform", &scope.platform},
        {"arch", &scope.architecture},
        {"execPath", &scope.executable},
        {"version", &scope.version}};
    for (const auto& [known, content] : texts) {
        if (known == name) {
            return evaluator.text(*content, 0);
        }
    }
    return std::nullopt;
}

JsValue home_path(const Invocation& call) {
    std::vector<std::string> parts = text_arguments(call);
    parts.insert(parts.begin(), call.evaluator.scope().home);
    return text(call, joined_path(parts));
}

JsValue path_join(const Invocation& call) {
    return text(call, joined_path(text_arguments(call)));
}

JsValue path_resolve(const Invocation& call) {
    return text(call, resolved_path(call.evaluator.scope().cwd, text_arguments(call)));
}

JsValue path_normalize(const Invocation& call) {
    return text(call, normalized_path(text_argument(call, 0)));
}

JsValue path_dirname(const Invocation& call) {
    return text(call, directory_of(text_argument(call, 0)));
}

JsValue path_basename(const Invocation& call) {
    const std::string suffix = call.argument(1).is_undefined() ? "" : text_argument(call, 1);
    return text(call, base_of(text_argument(call, 0), suffix));
}

JsValue path_extname(const Invocation& call) {
    return text(call, extension_of(text_argument(call, 0)));
}

JsValue path_is_absolute(const Invocation& call) {
    return text_argument(call, 0).starts_with('/');
}

std::optional<JsValue> path_member(Evaluator& evaluator, std::string_view name) {
    if (name == "sep" || name == "delimiter") {
        return evaluator.text(name == "sep" ? "/" : ":", 0);
    }
    return name == "posix" ? std::optional<JsValue>{&kPathModule} : std::nullopt;
}

JsValue file_url_to_path(const Invocation& call) {
    const Url url = url_argument(call, 0);
    if (url.scheme != "file" || !url.host.empty()) {
        throw_error(
            call.offset,
            "TypeError",
            "The URL must be of scheme file and have no host",
            "Write file:///…"
        );
    }
    const std::string path = url.pathname();
    const std::optional<std::string> decoded = percent_decoded(path);
    const bool has_slash =
        path.find("%2F") != std::string::npos || path.find("%2f") != std::string::npos;
    if (!decoded || has_slash) {
        throw_error(
            call.offset, "TypeError", "File URL path must not include encoded / characters"
        );
    }
    return text(call, *decoded);
}

JsValue path_to_file_url(const Invocation& call) {
    const std::string& given = text_argument(call, 0);
    std::string path = resolved_path(call.evaluator.scope().cwd, {given});
    if (given.ends_with('/') && !path.ends_with('/')) {
        path += '/';
    }
    const std::string href = "file://" + percent_encoded(path, "/-_.~!$&'()*+,;=:@");
    return std::make_shared<const Url>(*parse_url(href, nullptr));
}

JsValue os_homedir(const Invocation& call) {
    if (const auto home = environment(call.evaluator, "HOME")) {
        return text(call, *home);
    }
    refuse(call.offset, "the home folder is not known, because HOME is not set", "Set HOME");
}

JsValue os_tmpdir(const Invocation& call) {
    for (const char* name : {"TMPDIR", "TMP", "TEMP"}) {
        const auto folder = environment(call.evaluator, name);
        if (folder && !folder->empty()) {
            const bool has_slash = folder->size() > 1 && folder->ends_with('/');
            return text(call, folder->substr(0, folder->size() - (has_slash ? 1 : 0)));
        }
    }
    return text(call, "/tmp");
}

JsValue os_platform(const Invocation& call) {
    return text(call, call.evaluator.scope().platform);
}

JsValue os_arch(const Invocation& call) {
    return text(call, call.evaluator.scope().architecture);
}

std::optional<JsValue> os_member(Evaluator& evaluator, std::string_view name) {
    return name == "EOL" ? std::optional{evaluator.text("\n", 0)} : std::nullopt;
}

constexpr std::array kContextFunctions{NativeFunction{"get", context_get}};

constexpr std::array kProcessFunctions{
    NativeFunction{"cwd", process_cwd}, NativeFunction{"getBuiltinModule", process_module}};

constexpr std::array kPathFunctions{
    NativeFunction{"join", path_join},
    NativeFunction{"resolve", path_resolve},
    NativeFunction{"normalize", path_normalize},
    NativeFunction{"dirname", path_dirname},
    NativeFunction{"basename", path_basename},
    NativeFunction{"extname", path_extname},
    NativeFunction{"isAbsolute", path_is_absolute}};

constexpr std::array kUrlFunctions{
    NativeFunction{"fileURLToPath", file_url_to_path},
    NativeFunction{"pathToFileURL", path_to_file_url}};

constexpr std::array kOsFunctions{
    NativeFunction{"homedir", os_homedir},
    NativeFunction{"tmpdir", os_tmpdir},
    NativeFunction{"platform", os_platform},
    NativeFunction{"arch", os_arch}};

}  // namespace

const NativeFunction kHomePath{"cordonHomePath", home_path};

const Namespace kContext{"ctx", kContextFunctions, nullptr, nullptr, context_member};
const Namespace kProcess{"process", kProcessFunctions, nullptr, nullptr, process_member};
const Namespace kEnvironment{"process.env", {}, nullptr, nullptr, environment_member};
const Namespace kPathModule{"node:path", kPathFunctions, nullptr, nullptr, path_member};
const Namespace kUrlModule{"node:url", kUrlFunctions, nullptr, nullptr, nullptr};
const Namespace kOsModule{"node:os", kOsFunctions, nullptr, nullptr, os_member};

}  // namespace cordon::expression
