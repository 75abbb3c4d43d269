// The cost of fields that are not declared, beside the same ones declared: loading them, and querying them.
//
//     logquery_bench_learned [ROWS]
//
// Rows of the edge gateway, each with 10 of 300 fields more. They are loaded three times: as the sample has them, without the
// fields; with the fields, none of them declared, so that the load finds them and makes columns of 200; and with the fields
// into a folder whose schema declares all 300. The same queries are then run over the last two, in turn.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/embedded.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "nlohmann/json.hpp"
#include "shim/cli/folder/sample/sample.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Median;
using bench::Need;

using Json = nlohmann::ordered_json;

constexpr char kTable[] = "cloudflare.logs.prod";
constexpr int kFields = 300;
constexpr int kFieldsOfRow = 10;
constexpr int kColumns = 200;  // that a table has at most of fields that are not declared
constexpr int kRuns = 15;

std::string FieldName(int field) { return absl::StrCat("learned", field); }

// INT64, FLOAT64 and STRING in turn. The first fields are in more rows than the last.
std::string FieldText(int field, int64_t row) {
  const std::string name = absl::StrCat("\"", FieldName(field), "\":");
  if (field % 3 == 0) return absl::StrCat(name, row % 1000);
  return field % 3 == 1 ? absl::StrCat(name, row % 1000, ".25") : absl::StrCat(name, "\"value ", row % 1000, "\"");
}

// The rows of `from` with fields more in their metadata.
void AddFields(const std::string& from, const std::string& to) {
  std::ifstream in(from);
  std::ofstream out(to);
  std::string line;
  for (int64_t row = 0; std::getline(in, line); ++row) {
    const size_t metadata = line.find('{', line.find("\"metadata\":"));
    if (metadata == std::string::npos) continue;
    std::string more;
    for (int i = 0; i < kFieldsOfRow; ++i) {
      const int field = static_cast<int>((row * 7 + i * (kFields / kFieldsOfRow)) % kFields);
      // Later fields are missing in some rows, so that the first ones become columns.
      if (field >= kColumns && row / kFields % 50 == 0) continue;
      absl::StrAppend(&more, more.empty() ? "" : ",", FieldText(field, row));
    }
    if (line[metadata + 1] != '}') more += ",";
    out << line.substr(0, metadata + 1) << more << line.substr(metadata + 1) << "\n";
  }
}

std::string SchemaWithFields() {
  Json schema = Json::parse(base::EmbeddedFile("log_schema.json"));
  Json& metadata = schema[kTable]["columns"]["metadata"];
  for (int field = 0; field < kFields; ++field) {
    metadata[FieldName(field)] = field % 3 == 0 ? "INT64" : field % 3 == 1 ? "FLOAT64" : "STRING";
  }
  return schema.dump();
}

struct Loaded {
  std::unique_ptr<DuckDbBackend> backend;
  double rows_a_second = 0;
};

Loaded LoadInto(const std::string& folder, const std::string& file, const char* name, std::string schema = {}) {
  Loaded loaded;
  loaded.backend = Need(OpenDuckDb({.folder = folder, .schema_json = std::move(schema)}));
  const LoadReport report = Need(loaded.backend->store().Load({.table = kTable, .files = {file}}, nullptr));
  loaded.rows_a_second = static_cast<double>(report.rows) / absl::ToDoubleSeconds(report.time);
  std::printf("%-44s %9ld rows %8.2f s %9.0f rows/s, %zu fields learned\n", name, static_cast<long>(report.rows),
              absl::ToDoubleSeconds(report.time), loaded.rows_a_second, report.learned_fields.size());
  return loaded;
}

std::unique_ptr<QueryService> ServiceOver(QueryBackend& backend) {
  Endpoint endpoint;
  endpoint.id = "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d03";
  endpoint.name = "bench";
  endpoint.query =
      absl::StrCat("WITH logs AS (SELECT t.id, t.timestamp, t.metadata FROM `", kTable, "` AS t) SELECT id FROM logs");
  endpoint.query_sandboxing = true;
  QueryServiceOptions options;
  options.kept_bytes = 0;  // queries are what is measured
  options.backend = &backend;
  options.endpoints = {std::move(endpoint)};
  return Need(QueryService::Create(std::move(options)));
}

double Milliseconds(QueryService& service, const std::string& sql) {
  QueryRequest request;
  request.endpoint = "bench";
  request.parameters = {{"sql", sql}};
  const absl::Time start = absl::Now();
  Need(service.Run(request));
  return absl::ToDoubleMilliseconds(absl::Now() - start);
}

void Compare(const char* name, const std::string& sql, QueryService& learned, QueryService& declared) {
  std::vector<double> times[2];
  for (int run = 0; run < kRuns; ++run) {
    times[0].push_back(Milliseconds(learned, sql));
    times[1].push_back(Milliseconds(declared, sql));
  }
  const double one = Median(times[0]);
  const double other = Median(times[1]);
  std::printf("%-44s learned %8.2f ms, declared %8.2f ms, ratio %.2f\n", name, one, other, one / other);
}

int Main(int64_t rows) {
  const bench::TemporaryFolder folder;
  shim::SampleOptions sample;
  sample.folder = folder / "sample";
  // About a third of the sample's rows are the gateway's.
  sample.rows = rows * 3;
  sample.end = absl::FromUnixSeconds(1'768'478'400);
  Need(shim::WriteSample(sample));
  const std::string plain = absl::StrCat(sample.folder, "/", kTable, ".ndjson");
  const std::string more = folder / "more.ndjson";
  AddFields(plain, more);

  const double usual = LoadInto(folder / "plain", plain, "without the fields").rows_a_second;
  const Loaded learned = LoadInto(folder / "learned", more, "with the fields, learned");
  const Loaded declared = LoadInto(folder / "declared", more, "with the fields, declared", SchemaWithFields());
  std::printf("learned: %.2f of the usual rate, %.2f of that of declared ones\n", learned.rows_a_second / usual,
              learned.rows_a_second / declared.rows_a_second);

  const auto over_learned = ServiceOver(*learned.backend);
  const auto over_declared = ServiceOver(*declared.backend);
  const auto compare = [&](const char* name, const std::string& sql) {
    Compare(name, sql, *over_learned, *over_declared);
  };
  const std::string from = " FROM logs CROSS JOIN UNNEST(metadata) AS m";
  compare("sum of a field", "SELECT SUM(m.learned0) AS s" + from);
  compare("filter by two fields", "SELECT COUNT(*) AS n" + from + " WHERE m.learned0 > 500 AND m.learned30 < 900");
  compare("group by a field",
          "SELECT m.learned101 AS v, COUNT(*) AS n" + from + " GROUP BY v ORDER BY n DESC, v LIMIT 10");
  compare("a field that is declared in both", "SELECT COUNT(DISTINCT c.asn) AS n" + from +
                                                  " CROSS JOIN UNNEST(m.request) AS r CROSS JOIN UNNEST(r.cf) AS c");
  compare("the newest 100 rows, whole", "SELECT id, timestamp, metadata FROM logs ORDER BY timestamp DESC LIMIT 100");
  return 0;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  int64_t rows = 1'000'000;
  if (argc > 1 && (!absl::SimpleAtoi(argv[1], &rows) || rows <= 0)) {
    std::fprintf(stderr, "usage: %s [ROWS]\n", argv[0]);
    return 2;
  }
  return logquery::Main(rows);
}
