#include "tests/shim/served_logs.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>

#include "lib/base/strings.h"

namespace logquery::shim {

absl::StatusOr<Principal> TwoTokens::Authenticate(std::string_view token) {
  Principal principal;
  principal.token_id = token;
  if (token == "slow") {
    principal.limits.max_concurrent = 1;
  } else if (token != "good") {
    return absl::UnauthenticatedError("no such token");
  }
  return principal;
}

ServedLogs::ServedLogs(ServedLogsOptions options)
    : row_bytes_(options.row_bytes), log_(log_lines.writer(), true, Clock::Real()) {
  std::string name = (std::filesystem::temp_directory_path() / "logquery-served-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
  auto opened = OpenDuckDb({.folder = (folder_ / "data").string()});
  REQUIRE(opened.ok());
  backend_ = *std::move(opened);
  if (options.rows > 0) REQUIRE(Load("first", options.rows).ok());
  watched_ = std::make_unique<WatchedBackend>(backend_.get());
  QueryServiceOptions service;
  service.backend = watched_.get();
  service.clock = &clock_;
  service.authenticator = &tokens_;
  service.warming_threads = 0;
  service.parquet = parquet_.get();
  if (options.max_body_memory) {
    service.max_body_memory = *options.max_body_memory;
    service.body_folder = temporary();
  }
  auto created = QueryService::Create(service);
  REQUIRE(created.ok());
  service_ = *std::move(created);
  queue_ = QueryQueue::Create({service_.get(), options.query_threads, options.max_queued}).value();
  routes_ = std::make_unique<Routes>(HttpServerOptions{service_.get(), queue_.get(), &log_});
  auto bound = Transport::Bind(options.http, routes_.get());
  REQUIRE(bound.ok());
  server_ = *std::move(bound);
  serving_ = std::thread([this] { server_->Serve(); });
}

ServedLogs::~ServedLogs() {
  if (server_ != nullptr) server_->Stop(absl::ZeroDuration());
  if (serving_.joinable()) serving_.join();
  queue_->Stop();  // its threads use the routes
  server_ = nullptr;
  routes_ = nullptr;
  queue_ = nullptr;
  service_ = nullptr;
  backend_ = nullptr;
  std::filesystem::remove_all(folder_);
}

absl::Status ServedLogs::LoadText(const std::string& name, const std::string& lines) {
  const std::string path = folder_ / (name + ".ndjson");
  std::ofstream(path, std::ios::binary) << lines;
  return backend_->store().Load({.table = "edge_logs", .files = {path}}, nullptr).status();
}

absl::Status ServedLogs::Load(const std::string& name, int rows) {
  const std::string path = folder_ / (name + ".ndjson");
  std::ofstream file(path);
  const std::string padding(static_cast<size_t>(row_bytes_), 'x');
  for (int i = 0; i < rows; ++i) {
    file << base::StrCat(R"({"id":")", name, i, R"(","timestamp":)", 1'772'600'000'000'000 + i * 1'000'000LL,
                         R"(,"project":"abc","event_message":"GET 200 192.0.2.7)", padding, "\"}\n");
  }
  file.close();
  return backend_->store().Load({.table = "edge_logs", .files = {path}}, nullptr).status();
}

}  // namespace logquery::shim
