// A data folder, receivers over it, and the bodies that they are sent.
#ifndef LOGQUERY_TESTS_SERVING_LOG_RECEIVER_FIXTURE_H_
#define LOGQUERY_TESTS_SERVING_LOG_RECEIVER_FIXTURE_H_

#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logquery/serving/log_receiver.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::log_receiver_tests {

// A folder, gone afterwards, that is opened again at will.
class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "logquery-log-receiver-XXXXXX").string();
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::unique_ptr<DuckDbBackend> Open() const {
    DuckDbOptions options;
    options.folder = path_;
    auto backend = OpenDuckDb(options);
    REQUIRE(backend.ok());
    return *std::move(backend);
  }

 private:
  std::string path_;
};

inline std::unique_ptr<LogReceiver> ReceiverOf(DuckDbBackend& backend, LogReceiverOptions options = {}) {
  auto receiver = LogReceiver::Create(&backend, std::move(options));
  INFO(receiver.status().ToString());
  REQUIRE(receiver.ok());
  return *std::move(receiver);
}

inline Principal Writer(std::optional<std::vector<std::string>> logs = std::nullopt) {
  Principal writer;
  writer.token_id = "writer";
  writer.ingest.emplace();
  writer.ingest->logs = std::move(logs);
  return writer;
}

inline constexpr std::string_view kEvent = R"([{"message":"new","project":"p","metadata":{"level":"info"}}])";

inline absl::StatusOr<ReceivedLogs> Send(LogReceiver& receiver, const Principal& writer, std::string_view source,
                                         const LogBody& body) {
  const auto admission = receiver.Admit(writer, source, static_cast<int64_t>(body.text.size()));
  if (!admission.ok()) return admission.status();
  return receiver.Append(**admission, body);
}

inline absl::StatusOr<ReceivedLogs> Send(LogReceiver& receiver, const Principal& writer, std::string_view source,
                                         std::string_view text = kEvent) {
  return Send(receiver, writer, source, LogBody{.text = text});
}

// -1: there is no such log.
inline int64_t RowsOf(DuckDbBackend& backend, const std::string& log) {
  const auto stats = backend.ReadStats();
  REQUIRE(stats.ok());
  for (const TableStats& table : *stats) {
    if (table.log == log) return table.rows;
  }
  return -1;
}

}  // namespace logquery::log_receiver_tests

#endif  // LOGQUERY_TESTS_SERVING_LOG_RECEIVER_FIXTURE_H_
