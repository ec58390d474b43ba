// What the container costs: looking up a service, dispatching an event, applying and disposing of a
// plugin, starting and stopping whole compositions. context.sh runs it beside the same work on the
// npm package that the model comes from; context_bench.mjs holds that half, case by case.
//
//   context_bench [google-benchmark options]
//   context_bench --memory PLUGINS      peak memory of one composition, in KiB, and what is idle

#include <cordon/context/container.hpp>

#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace cordon;

class Number : public Service {
public:
    static constexpr std::string_view service_name = "number";

    int value = 1;
};

struct Told {
    static constexpr std::string_view name = "bench/told";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(int number);
};

Task<> nothing() {
    co_return;
}

PluginPtr plugin_of(
    std::string name, std::vector<std::string> inject, std::function<void(const Context&)> body
) {
    PluginDescriptor descriptor;
    descriptor.name = std::move(name);
    descriptor.inject = inject;
    descriptor.apply = [body = std::move(body)](const Context& context, const Value&) {
        body(context);
        return nothing();
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

/// A container on a loop that is turned by hand.
class Host {
public:
    Host() = default;

    ~Host() {
        spawn(container_.shutdown());
        turn();
    }

    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    [[nodiscard]] Context root() const { return container_.root(); }

    /// Until nothing can go on by itself.
    void turn() {
        io_.restart();
        io_.poll();
    }

    void spawn(Task<> task) {
        boost::asio::co_spawn(
            container_.strand(),
            std::move(task),
            [](const std::exception_ptr& failure) {
                if (failure) {
                    std::rethrow_exception(failure);
                }
            }
        );
    }

    /// Benchmarks of one call run on the strand, as plugins do.
    void on_strand(std::function<void()> work) {
        boost::asio::post(container_.strand(), std::move(work));
        turn();
    }

private:
    boost::asio::io_context io_;
    Container container_{io_.get_executor()};
};

void get_service(benchmark::State& state) {
    Host host;
    host.root().provide(std::make_shared<Number>());
    host.on_strand([&] {
        const Context context = host.root();
        for (auto _ : state) {
            benchmark::DoNotOptimize(context.get<Number>()->value);
        }
    });
}

BENCHMARK(get_service)->Name("get a service");

void use_service(benchmark::State& state) {
    Host host;
    host.root().provide(std::make_shared<Number>());
    host.root().plugin(plugin_of("user", {"number"}, [&](const Context& context) {
        for (auto _ : state) {
            benchmark::DoNotOptimize(context.use<Number>()->value);
        }
    }));
    host.turn();
}

BENCHMARK(use_service)->Name("use a declared service");

void emit_event(benchmark::State& state) {
    Host host;
    int sum = 0;
    for (std::int64_t listener = 0; listener < state.range(0); ++listener) {
        host.root().on<Told>([&sum](int number) { sum += number; });
    }
    host.on_strand([&] {
        const Context context = host.root();
        for (auto _ : state) {
            context.emit<Told>(1);
        }
    });
    benchmark::DoNotOptimize(sum);
}

BENCHMARK(emit_event)->Name("emit to listeners")->Arg(1)->Arg(10)->Arg(1000);

void apply_and_dispose(benchmark::State& state) {
    Host host;
    const PluginPtr plugin = plugin_of("p", {}, [](const Context&) {});
    for (auto _ : state) {
        const FiberPtr fiber = host.root().plugin(plugin);
        host.turn();
        fiber->request_dispose();
        host.turn();
        if (fiber->state() != FiberState::disposed) {
            state.SkipWithError("the fiber is not disposed");
        }
    }
}

BENCHMARK(apply_and_dispose)->Name("apply and dispose of a plugin");

/// A tenth provides a service each; the others each need one of these, listen and have an undo.
/// Those who need come first, so that everybody waits before anybody starts.
class Composition {
public:
    explicit Composition(std::int64_t size) {
        const std::int64_t providers = size / 10;
        for (std::int64_t index = 0; index < size - providers; ++index) {
            plugins_.push_back(plugin_of(
                fmt::format("user-{}", index),
                {fmt::format("service-{}", index % providers)},
                [](const Context& context) {
                    context.on<Told>([](int) {});
                    context.effect("undo", [] { return nothing(); });
                }
            ));
        }
        for (std::int64_t index = 0; index < providers; ++index) {
            const std::string name = fmt::format("service-{}", index);
            plugins_.push_back(plugin_of(
                fmt::format("provider-{}", index),
                {},
                [name](const Context& context) {
                    context.provide(name, std::make_shared<Number>());
                }
            ));
        }
    }

    /// Whether every plugin became active.
    [[nodiscard]] bool run() const {
        Host host;
        std::vector<FiberPtr> fibers;
        fibers.reserve(plugins_.size());
        for (const PluginPtr& plugin : plugins_) {
            fibers.push_back(host.root().plugin(plugin));
        }
        host.turn();
        for (const FiberPtr& fiber : fibers) {
            if (fiber->state() != FiberState::active) {
                return false;
            }
        }
        return true;
    }

private:
    std::vector<PluginPtr> plugins_;
};

void start_and_stop(benchmark::State& state) {
    const Composition composition{state.range(0)};
    for (auto _ : state) {
        if (!composition.run()) {
            state.SkipWithError("a plugin did not become active");
        }
    }
    state.SetComplexityN(state.range(0));
}

BENCHMARK(start_and_stop)
    ->Name("start and stop a composition")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

long memory_kib(std::string_view key) {
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(key)) {
            return std::strtol(line.c_str() + key.size() + 1, nullptr, 10);
        }
    }
    return 0;
}

int print_memory(std::int64_t plugins) {
    const long idle = memory_kib("VmRSS");
    if (!Composition{plugins}.run()) {
        return 1;
    }
    fmt::print("{} {}\n", memory_kib("VmHWM"), idle);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view{argv[1]} == "--memory") {
        return print_memory(std::strtol(argv[2], nullptr, 10));
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
