// Logs in a folder, questions to them, answers as JSON: all of logquery in one process, without a network.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"

int main() {
  std::string name = (std::filesystem::temp_directory_path() / "logquery-embed-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return std::perror("a folder for the example"), 1;
  const std::filesystem::path folder = name;
  const std::string file = (folder / "edge.ndjson").string();
  std::ofstream(file) << R"({"id":"1","timestamp":"2026-03-04T05:00:00Z","event_message":"GET /rest/v1/todos",)"
                         R"("project":"abc","metadata":{"request":{"method":"GET","path":"/rest/v1/todos"}}})"
                      << "\n";

  auto backend = logquery::OpenDuckDb({.folder = (folder / "data").string()});
  if (!backend.ok()) return std::fprintf(stderr, "%s\n", backend.status().ToString().c_str()), 1;
  auto loaded = (*backend)->store().Load({.table = "edge_logs", .files = {file}}, nullptr);
  if (!loaded.ok()) return std::fprintf(stderr, "%s\n", loaded.status().ToString().c_str()), 1;

  // The clock is passed in: this one stands still, so the answer is always the same.
  const logquery::FixedClock clock(absl::FromUnixSeconds(1'772'600'700));
  logquery::QueryServiceOptions options;
  options.backend = backend->get();
  options.clock = &clock;
  auto service = logquery::QueryService::Create(options);
  if (!service.ok()) return std::fprintf(stderr, "%s\n", service.status().ToString().c_str()), 1;

  logquery::QueryRequest request;
  request.endpoint = "logs.all";
  request.parameters = {{"project", "abc"},
                        {"sql",
                         "select id, r.method, r.path from edge_logs cross join unnest(metadata) as m "
                         "cross join unnest(m.request) as r order by timestamp desc"}};
  auto answer = (*service)->Run(request);
  if (!answer.ok()) return std::fprintf(stderr, "%s\n", answer.status().ToString().c_str()), 1;
  std::puts(answer->body.c_str());
  std::filesystem::remove_all(folder);
  return answer->body == R"({"result":[{"id":"1","method":"GET","path":"/rest/v1/todos"}]})" ? 0 : 1;
}
