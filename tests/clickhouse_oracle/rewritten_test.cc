// BigQuery queries rewritten in ClickHouse SQL: generated ones and the query kit's. Both forms have the same rows over stored rows
// of logquery, and ClickHouse's own engine has them for the rewritten form over the table in Logflare's layout.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "lib/tools/result_order.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"
#include "tests/clickhouse_oracle/rewritten_logs.h"
#include "tests/clickhouse_oracle/rewritten_rows.h"
#include "tests/clickhouse_oracle/saved_queries.h"
#include "tests/fuzz/differential/query_generator.h"
#include "tests/support/folders.h"

namespace logquery::clickhouse_oracle {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSeed = 32;
constexpr int kWanted = 200;      // queries that are rewritten
constexpr int kMost = 100'000;    // that are made for it
constexpr size_t kLongest = 600;  // bytes of a query: longer ones are rarely rewritten

bool HasClickHouse() { return testing::ClickHouse::WhyNot().empty(); }

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "logquery-rewritten-rows-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

// Writes the query kit's rows into the folder `rows` of this one.
void MakeKitRows(const Folder& folder) {
  const std::string make =
      base::StrCat("python3 ", testing::SourcePath("tests/engines/kit/gen.py"),
                   " --rows 6000 --days 7 --projects 20 --seed 4242 --end 2026-03-04T05:06:07Z --out ",
                   (folder.path / "rows").string(), " >/dev/null");
  REQUIRE(std::system(make.c_str()) == 0);
}

// The lines of the grammar that the other language has: no parameters of definitions, no types that only GoogleSQL has.
fuzz::Grammar RewrittenGrammar() {
  absl::StatusOr<fuzz::Grammar> grammar =
      fuzz::Grammar::Read(testing::SourcePath("tests/fuzz/differential/expressions.txt"));
  REQUIRE(grammar.ok());
  for (auto& [section, types] : grammar->sections) {
    for (const char* type : {"BYTES", "NUMERIC", "JSON", "TIME", "DATETIME", "ARRAY<STRING>", "ARRAY<INT64>"})
      types.erase(type);
    for (auto& [type, lines] : types) {
      std::erase_if(lines, [](const fuzz::Template& line) {
        for (const char* word :
             {"@", "BYTES", "NUMERIC", "JSON", "{TIME}", "DATETIME", "ARRAY", "WITH(", "relay_logs"}) {
          if (absl::StrContains(line.text, word)) return true;
        }
        return false;
      });
    }
  }
  return *std::move(grammar);
}

uint64_t NumberOf(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST_CASE("two hundred generated BigQuery queries have the same rows in ClickHouse SQL") {
  const uint64_t seed = NumberOf("LOGQUERY_SEED", kSeed);
  const auto wanted = static_cast<int>(NumberOf("LOGQUERY_QUERIES", kWanted));
  const Folder folder;
  fuzz::Choices rows(seed);
  for (const auto& [log, name] : {std::pair("edge_logs", "edge_logs"), std::pair("relay_logs", "function_edge_logs")}) {
    std::ofstream out(folder.path / (std::string(name) + ".ndjson"));
    for (const char* project : {"abc", "xyz"}) {
      for (int i = 0; i < 40; ++i) out << RewrittenRow(log, i, project, rows) << "\n";
    }
  }
  auto logs = RewrittenLogs::Make(folder.path, HasClickHouse());
  INFO(logs.status());
  REQUIRE(logs.ok());
  const fuzz::Grammar grammar = RewrittenGrammar();
  const ParameterTexts call = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}};
  int rewritten = 0, failed = 0;
  for (int number = 0; rewritten < wanted && number < kMost; ++number) {
    fuzz::Choices choices(seed * 1'000'003 + static_cast<uint64_t>(number));
    const fuzz::FuzzQuery query = fuzz::QueryGenerator(grammar, choices).Make();
    if (query.sql.size() > kLongest) continue;
    const std::string sql = absl::StrReplaceAll(query.sql, {{"relay_logs", "function_edge_logs"}});
    const auto made = tools::RewriteToClickHouse(sql, Catalog::DeclaredLogs());
    if (!made.ok()) {
      CHECK(made.status().code() != absl::StatusCode::kInternal);
      continue;
    }
    CAPTURE(seed, number, sql, made->sql);
    bool fails = false;
    CHECK((*logs)->FormsDiffer(sql, made->sql, call, fails) == "");
    failed += fails ? 1 : 0;
    if (fails) continue;
    ++rewritten;
    // LIMIT stands behind an order of all columns. ClickHouse has a clock of its own.
    if (HasClickHouse() && !absl::StrContains(made->sql, "now64"))
      CHECK((*logs)->EnginesDiffer(made->sql, call, false) == "");
  }
  CHECK(rewritten == wanted);
  // Queries that fail over their rows show nothing.
  CHECK(failed < wanted / 2);
}

TEST_CASE("the query kit's rewritten queries have the same rows in ClickHouse's own engine") {
  if (const std::string why = testing::ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  const Folder folder;
  MakeKitRows(folder);
  auto logs = RewrittenLogs::Make(folder.path / "rows", true);
  INFO(logs.status());
  REQUIRE(logs.ok());
  std::ifstream kit(testing::SourcePath("tests/engines/kit/queries.jsonl"));
  int compared = 0;
  for (std::string line; std::getline(kit, line);) {
    const nlohmann::json query = nlohmann::json::parse(line);
    if (query.contains("error")) continue;
    const std::string id = query["id"].get<std::string>();
    const std::string sql = query["sql"].get<std::string>();
    tools::RewriteOptions options;
    options.rows_have_metadata =
        id == "safe-cast-duration" || id == "pg-casts" || id == "named-window" || id == "star-one";
    const auto made = tools::RewriteToClickHouse(sql, Catalog::DeclaredLogs(), options);
    // The engine has a clock of its own, and estimates are of their own kinds.
    if (!made.ok() || absl::StrContains(made->sql, "now64") || absl::StrContains(made->sql, "uniq(")) continue;
    ParameterTexts call;
    for (const auto& [name, value] : query["params"].items()) {
      if (name != "sql") call.emplace_back(name, value.get<std::string>());
    }
    CAPTURE(id, made->sql);
    CHECK((*logs)->EnginesDiffer(made->sql, call, query.value("ordered", true)) == "");
    ++compared;
  }
  CHECK(compared >= 70);
}

TEST_CASE("nearly all of two hundred generated dashboard queries are rewritten, with the same rows") {
  const Folder folder;
  MakeKitRows(folder);
  auto logs = RewrittenLogs::Make(folder.path / "rows", HasClickHouse());
  INFO(logs.status());
  REQUIRE(logs.ok());
  const uint64_t seed = NumberOf("LOGQUERY_SEED", 33);
  SavedQueries queries(seed);
  tools::RewriteOptions options;
  options.rows_have_metadata = true;
  const ParameterTexts call = {{"project", "qezklcgaadtqfksmhuwt"}, {"project_tier", "ENTERPRISE"}};
  int failed = 0, planted = 0, found = 0;
  std::vector<std::string> refused;
  for (int number = 0; number < kWanted; ++number) {
    const std::string sql = queries.Make();
    const auto made = tools::RewriteToClickHouse(sql, Catalog::DeclaredLogs(), options);
    CAPTURE(seed, number, sql, made.status());
    if (!made.ok()) {
      CHECK(absl::IsUnimplemented(made.status()));
      refused.push_back(base::StrCat(sql, ": ", made.status().message()));
      continue;
    }
    CAPTURE(made->sql);
    bool fails = false;
    CHECK((*logs)->FormsDiffer(sql, made->sql, call, fails) == "");
    failed += fails ? 1 : 0;
    if (!fails && HasClickHouse()) CHECK((*logs)->EnginesDiffer(made->sql, call, false) == "");
    // Otherwise the rows say nothing.
    const std::string wrong = absl::StrReplaceAll(made->sql, {{"count()", "(count() + 1)"}});
    if (wrong == made->sql) continue;
    ++planted;
    found += (*logs)->FormsDiffer(sql, wrong, call, fails).empty() ? 0 : 1;
  }
  CAPTURE(base::Join(refused, "\n"));
  CHECK(static_cast<int>(refused.size()) <= kWanted / 20);
  CHECK(failed == 0);
  CHECK(planted > kWanted / 4);
  CHECK(found > planted / 2);
}

}  // namespace
}  // namespace logquery::clickhouse_oracle
