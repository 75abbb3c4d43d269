// Answers one call over a data folder's rows as a program's own, as `logquery run` does over the folder itself: so the query
// kit is asked of a TableSource.
//
//     logquery_source_run --data DIR --now TIME [--hints | --fragments] ENDPOINT KEY=VALUE…
//
// With --fragments an engine that has next to nothing of SQL is asked for the rows (tests/split/invented_engine.h).
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "lib/base/error_body.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_clock.h"
#include "tests/source/folder_source.h"
#include "tests/split/invented_engine.h"

namespace logquery {
namespace {

int Fail(const absl::Status& status) { return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1; }

struct Arguments {
  std::string data;
  std::string now;
  bool hints = false;
  bool fragments = false;
  QueryRequest request;

  bool Read(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word == "--hints") {
        hints = true;
      } else if (word == "--fragments") {
        fragments = true;
      } else if ((word == "--data" || word == "--now") && i + 1 < argc) {
        (word == "--data" ? data : now) = argv[++i];
      } else if (request.endpoint.empty()) {
        request.endpoint = word;
      } else if (const size_t equals = word.find('='); equals != std::string_view::npos) {
        request.parameters.emplace_back(std::string(word.substr(0, equals)), std::string(word.substr(equals + 1)));
      } else {
        return false;
      }
    }
    return !request.endpoint.empty() && !data.empty() && !now.empty();
  }
};

int Main(int argc, char** argv) {
  Arguments arguments;
  if (!arguments.Read(argc, argv)) {
    return Fail(absl::InvalidArgumentError(
        "usage: logquery_source_run --data DIR --now TIME [--hints | --fragments] ENDPOINT …"));
  }
  const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
  if (!now.ok()) return Fail(now.status());
  const testing::FakeClock clock(*now);
  DuckDbOptions folder;
  folder.folder = arguments.data;
  folder.read_only = true;
  auto opened = OpenDuckDb(folder);
  if (!opened.ok()) return Fail(opened.status());
  auto rows = std::make_shared<testing::FolderSource>(*std::move(opened), arguments.hints);
  auto backend = arguments.fragments
                     ? duckdb::OpenOverFragments(std::make_shared<testing::InventedEngine>(std::move(rows)), {})
                     : OpenOverSource(std::move(rows), {});
  if (!backend.ok()) return Fail(backend.status());
  QueryServiceOptions options;
  options.backend = backend->get();
  options.clock = &clock;
  auto service = QueryService::Create(options);
  if (!service.ok()) return Fail(service.status());
  const auto answer = (*service)->Run(arguments.request);
  const std::string body = answer.ok() ? answer->body : base::MakeErrorAnswer(answer.status(), "", false).body;
  std::fwrite(body.data(), 1, body.size(), stdout);
  return answer.ok() ? 0 : 1;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Main(argc, argv); }
