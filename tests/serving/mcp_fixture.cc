#include "tests/serving/mcp_fixture.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/synchronization/notification.h"

namespace logquery::testing {

McpFixture::McpFixture(McpOptions options, std::vector<Endpoint> more, EndpointSource* source) {
  folder = (std::filesystem::temp_directory_path() / "logquery-mcp-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  auto opened = OpenDuckDb({.folder = folder + "/data"});
  INFO(opened.status().ToString());
  REQUIRE(opened.ok());
  backend = *std::move(opened);
  QueryServiceOptions of_service;
  of_service.backend = backend.get();
  of_service.clock = &clock;
  of_service.warming_threads = 0;
  of_service.source = source;
  for (Endpoint& endpoint : more) of_service.endpoints.push_back(std::move(endpoint));
  auto created = QueryService::Create(std::move(of_service));
  INFO(created.status().ToString());
  REQUIRE(created.ok());
  service = *std::move(created);
  queue = QueryQueue::Create({.service = service.get(), .threads = 2}).value();
  options.service = service.get();
  options.queue = queue.get();
  mcp = McpServer::Create(options).value();
}

McpFixture::~McpFixture() {
  queue->Stop();
  mcp = nullptr;
  queue = nullptr;
  service = nullptr;
  backend = nullptr;
  std::filesystem::remove_all(folder);
}

void McpFixture::AddRow(const Json& row) {
  const std::string text = row.dump();
  const auto report = backend->store().Append({.table = "edge_logs", .rows = {text}});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  REQUIRE(report->rows == 1);
}

void McpFixture::AddMessages(const std::vector<std::string>& messages, const std::string& of_project) {
  for (const std::string& message : messages) {
    const int64_t row = rows_++;
    AddRow({{"id", "i" + std::to_string(row)},
            {"timestamp", 1'772'600'000'000'000 + row * 1'000'000},
            {"project", of_project},
            {"event_message", message},
            {"metadata", {{"request", {{"method", "GET"}, {"path", "/x"}}}}}});
  }
}

McpAnswer McpFixture::Send(const std::string& message, std::optional<McpHeaders> headers) {
  McpCall call;
  call.message = message;
  call.principal = principal;
  call.headers = std::move(headers);
  call.project = project;
  call.redact_pii = redact_pii;
  call.can_listen = can_listen;
  call.cancellation = cancellation;
  absl::Notification done;
  mcp->Handle(std::move(call), [&](McpAnswer answer) {
    last = std::move(answer);
    done.Notify();
  });
  done.WaitForNotification();
  CHECK(last.body.find('\n') == std::string::npos);
  return last;
}

McpFixture::Json McpFixture::Ask(const std::string& method, const Json& params) {
  Json request = {{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}};
  if (!params.is_null()) request["params"] = params;
  const Json answer = Json::parse(Send(request.dump()).body);
  CHECK(answer["jsonrpc"] == "2.0");
  CHECK(answer["id"] == 7);
  return answer;
}

McpFixture::Json McpFixture::Call(const std::string& tool, const Json& arguments) {
  const Json answer = Ask("tools/call", {{"name", tool}, {"arguments", arguments}});
  INFO(answer.dump());
  REQUIRE(answer.contains("result"));
  return answer["result"];
}

std::string TextOf(const McpFixture::Json& result) {
  std::string text;
  for (const auto& part : result["content"]) {
    CHECK(part["type"] == "text");
    text += part["text"].get<std::string>();
  }
  return text;
}

}  // namespace logquery::testing
