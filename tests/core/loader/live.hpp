#pragma once

#include "layers.hpp"

#include <cordon/async/task.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/container.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/tree.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <support/temporary_folder.hpp>

namespace cordon::testing {

/// A mounted tree of fixture plugins in a container of its own, with a folder for its files.
struct Live {
    explicit Live(const boost::asio::any_io_executor& executor);

    TemporaryFolder folder;
    ModuleResolver modules;
    Container container;
    std::shared_ptr<EntryTree> tree;
    /// What plugins and the loader logged.
    std::vector<std::string> log;

    [[nodiscard]] Context root() const { return container.root(); }

    /// `apply a; dispose a`, and forgets it.
    [[nodiscard]] std::string take_log();

    /// `id:active …` for all rows in order.
    [[nodiscard]] std::string states() const;

    [[nodiscard]] RowStatus row(const std::string& id) const;

    /// What the service says in the outermost scope; `nobody` where there is none.
    [[nodiscard]] std::string greeting() const;

    /// Puts other rows, as YAML, in the place of the ones at the top.
    [[nodiscard]] Task<> replace(std::string rows);
};

using LiveBody = Task<> (*)(Live& live);

/// Mounts `rows`, a YAML list in which `FOLDER` stands for the folder, runs `body` on the strand,
/// and shuts everything down. The log of the mount has been dropped.
[[nodiscard]] Task<> with_rows(std::string rows, LiveBody body);

/// The same after a preparation.
[[nodiscard]] Task<> with_rows(std::string rows, void (*prepare)(Live& live), LiveBody body);

/// The same with `MountOptions`.
[[nodiscard]] Task<> with_rows(
    std::string rows, MountOptions options, void (*prepare)(Live& live), LiveBody body
);

/// The message of what it throws; empty where it succeeds.
[[nodiscard]] Task<std::string> failure_of(Task<> work);

/// A row as YAML, for `create` and `update`.
[[nodiscard]] Value row(std::string_view text);
[[nodiscard]] Object keys(std::string_view text);

}  // namespace cordon::testing
