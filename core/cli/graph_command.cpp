#include "commands.hpp"
#include "exit_code.hpp"
#include "graph.hpp"
#include "output.hpp"
#include "session.hpp"

#include <cordon/base/error.hpp>
#include <cordon/runtime/runtime.hpp>

#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace cordon::cli {
namespace {

/// Graphviz draws it straight to our standard output.
void draw(const std::string& dot) {
    std::fflush(stdout);  // NOLINT(cert-err33-c): main() looks at the state of the stream
    std::FILE* program = ::popen("command -v dot >/dev/null || exit 127; exec dot -Tsvg", "w");
    if (program == nullptr) {
        throw system_error("popen", "dot", errno);
    }
    static_cast<void>(std::fwrite(dot.data(), 1, dot.size(), program));
    const int status = ::pclose(program);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        throw Error{
            "svg needs the program 'dot', which is not on PATH. Install graphviz, or take --format "
            "dot",
            "PROGRAM_NOT_FOUND"};
    }
    if (status != 0) {
        throw Error{"the program 'dot' could not draw the graph", "PROGRAM_FAILED"};
    }
}

}  // namespace

int graph_command(const Options& options) {
    GlobalOptions global = options.global;
    global.keep_going = true;  // what does not start is what the picture is for
    Graph graph;
    const int status = run_session(global, [&graph](Session session) -> Task<int> {
        const Runtime& runtime = session.runtime;
        graph = graph_of(runtime.tree().rows(), inspect(runtime.context()));
        co_return 0;
    });
    if (status != 0) {
        return status;
    }
    switch (options.graph_format) {
        case GraphFormat::mermaid:
            print_to(stdout, "{}", to_mermaid(graph));
            break;
        case GraphFormat::dot:
            print_to(stdout, "{}", to_dot(graph));
            break;
        case GraphFormat::svg:
            draw(to_dot(graph));
            break;
    }
    return 0;
}

}  // namespace cordon::cli
