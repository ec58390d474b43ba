#include "config.hpp"
#include "console_line.hpp"

#include <cordon/context/make_plugin.hpp>

#include <memory>
#include <optional>
#include <utility>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace cordon::logger_console {
namespace {

/// The lines are ours, down to their colours; spdlog writes them whole and flushes.
class Console {
public:
    explicit Console(LineFormat format) : format_(std::move(format)) {
        out_.set_pattern("%v");
        out_.set_level(spdlog::level::trace);
        out_.flush_on(spdlog::level::trace);
        // What cannot be written is the exporter's failure, for the container to report.
        out_.set_error_handler([](const std::string& problem) { throw Error{problem}; });
    }

    void write(const LogRecord& record) {
        const std::string line = console_line(record, format_, previous_);
        previous_ = record.time;
        out_.log(spdlog::level::info, spdlog::string_view_t{line});
    }

private:
    LineFormat format_;
    spdlog::logger out_{"console", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
    std::optional<std::chrono::system_clock::time_point> previous_;
};

Task<> start(Context context, Config config) {
    const auto console = std::make_shared<Console>(line_format(config, terminal_colors()));
    LogExporter exporter;
    exporter.thresholds = thresholds(config);
    exporter.write = [console](const LogRecord& record) {
        console->write(record);
    };
    context.log_exporter(std::move(exporter));
    co_return;
}

PluginPtr describe() {
    PluginFacts facts;
    facts.name = "logger-console";
    facts.version = "0.1.0";
    return make_plugin(std::move(facts), &start);
}

}  // namespace
}  // namespace cordon::logger_console

CORDON_PLUGIN(cordon::logger_console::describe);
