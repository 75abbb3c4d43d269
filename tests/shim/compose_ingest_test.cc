// Logs from requests into a folder's tables, whose logs may change while the server runs.
#include "shim/compose_ingest.h"

#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "logquery/authenticator.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::shim {
namespace {

TEST_CASE("a log that is declared while the server runs takes events") {
  std::string folder = (std::filesystem::temp_directory_path() / "logquery-compose-ingest-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  {
    DuckDbOptions options;
    options.folder = folder;
    const auto backend = OpenDuckDb(options);
    REQUIRE(backend.ok());
    const auto ingest = MakeIngest(**backend, 16 << 20, 128);
    REQUIRE(ingest.ok());
    Principal writer;
    writer.token_id = "writer";
    writer.ingest = IngestRights();
    const std::string event = R"([{"at":"2026-03-04T05:06:07Z","text":"new"}])";
    const absl::Status none = (*ingest)->CheckSource(writer, "app_logs");
    CHECK(absl::IsNotFound(none));
    const size_t sources = (*ingest)->sources().size();

    REQUIRE((*backend)
                ->DeclareLogs("schema.json", R"({"app.logs": {"log": "app_logs", "time": "at", "message": "text",
                    "columns": {"at": "TIMESTAMP", "text": "STRING"}}})")
                .ok());
    for (const char* source : {"app_logs", "app.logs"}) {
      IngestCall call{writer, source, EventForm::kLogs, false, event};
      const auto answer = (*ingest)->Take(call);
      INFO(answer.status().ToString());
      REQUIRE(answer.ok());
      CHECK(answer->rows == 1);
    }
    CHECK((*ingest)->sources().size() == sources + 1);
    CHECK(absl::StrContains((*ingest)->CheckSource(writer, "app_log").message(), "app_logs"));
    const auto stats = (*backend)->ReadStats();
    REQUIRE(stats.ok());
    int64_t rows = 0;
    for (const TableStats& table : *stats) rows += table.rows;
    CHECK(rows == 2);
    (*ingest)->Stop();
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace logquery::shim
