// Records of own logs as nullable STRUCTs: IS NULL and COUNT over stored rows in several row groups, of which some lack the record.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

// `declared_logs` declares the records that `learned_logs` learns from its rows.
constexpr char kSchema[] = R"({
  "declared.logs": {"log": "declared_logs", "time": "at", "project": ["tenant"],
    "hot": {"values": ["http.path"], "presence": ["http.user"]},
    "columns": {"at": "TIMESTAMP", "tenant": "STRING", "n": "INT64", "lines": [{"price": "INT64", "by": {"name": "STRING"}}],
      "error": {"code": "INT64", "message": "STRING"}, "http": {"path": "STRING", "user": {"name": "STRING"}}}},
  "learned.logs": {"log": "learned_logs", "time": "at", "project": ["tenant"],
    "columns": {"at": "TIMESTAMP", "tenant": "STRING", "n": "INT64"}}})";

// More than two row groups; a multiple of 24, after which projects, errors and requests repeat.
constexpr int kRows = 252'000;

// Errors differ by n % 4: with fields, absent, null, without fields. Requests differ by n % 3: with a user, without one, absent.
std::string RowText(int n) {
  constexpr std::string_view kErrors[] = {R"(,"error":{"code":1,"message":"from 10.1.2.3"})", "", R"(,"error":null)",
                                          R"(,"error":{})"};
  constexpr std::string_view kRequests[] = {R"(,"http":{"path":"/a","user":{"name":"ann"}})",
                                            R"(,"http":{"path":"/b"})", ""};
  return base::StrCat(R"({"at":"2026-01-04T05:06:07Z","tenant":")", n / 12 % 2 == 0 ? "a" : "b", R"(","n":)", n,
                      kErrors[n % 4], kRequests[n % 3], "}\n");
}

struct Folder : CommandFolder {
  explicit Folder(int rows) {
    Write("schema.json", kSchema);
    std::string text;
    for (int n = 0; n < rows; ++n) text += RowText(n);
    for (const char* log : {"declared_logs", "learned_logs"}) {
      const std::string file = Write(base::StrCat(log, ".ndjson"), text);
      const Outcome loaded = Run({"load", "--data", "{}/data", "--schema", "{}/schema.json", file});
      INFO(loaded.err);
      REQUIRE(loaded.code == kExitOk);
    }
  }
  // The rows, or the error. LOG stands for the log's name.
  std::string Rows(std::string sql, std::string_view log, const std::vector<std::string>& options = {}) const {
    for (size_t at = 0; (at = sql.find("LOG", at)) != sql.npos;) sql.replace(at, 3, log);
    std::vector<std::string> arguments = {"query", "--data", "{}/data", "--format", "ndjson", sql};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = Run(arguments);
    return outcome.out + outcome.err;
  }
};

TEST_CASE("a record of an own log is NULL in rows that lack it, over row groups, declared and learned") {
  const Folder folder(kRows);
  const std::pair<const char*, const char*> cases[] = {
      {"select count(error) as e, countif(error is null) as x, countif(error is not null) as y from LOG",
       R"({"e":126000,"x":126000,"y":126000})"},
      {"select count(http.user) as e, countif(http.user is null) as x, countif(http is null) as y from LOG",
       R"({"e":84000,"x":168000,"y":84000})"},
      {"select count(*) as n from LOG where error is null", R"({"n":126000})"},
      {"select count(*) as n from LOG where error is not null and error.code is null", R"({"n":63000})"},
      {"select count(*) as n from (select * from LOG) where error is null and http is not null", R"({"n":84000})"},
      {"select if(error is null, 'none', 'some') as e, count(*) as n from LOG group by e order by e limit 1",
       R"({"e":"none","n":126000})"},
      {"select count(distinct error) as n, count(distinct http.user) as m from LOG", R"({"n":2,"m":1})"},
      {"select http is null as x, count(*) as n from LOG group by http having http is null", R"({"x":true,"n":84000})"},
      {"select http.user is null as x, count(*) as n from LOG group by x order by x limit 1",
       R"({"x":false,"n":84000})"},
      {"select count(b.error) as e, countif(b.error is null) as x, count(b.http.user) as u from LOG as a left join LOG "
       "as b "
       "on b.n = a.n + 1 and mod(b.n, 4) < 2 and b.n < 1200",
       R"({"e":299,"x":251701,"u":199})"},
      {"select count(error) over () as n from LOG limit 1", R"({"n":126000})"},
      {"select (select error from LOG where n = 1) is null as x, (select error from LOG where n = 4) is null as y, "
       "(select error from LOG where n < 0) is null as z",
       R"({"x":true,"y":false,"z":true})"},
      {"select max_by(error, n) is null as x, min_by(error, n) is null as y from LOG where n < 3",
       R"({"x":true,"y":false})"},
      {"select x.e is null as n, count(*) as c from (select error as e from LOG union all select error from LOG) as x "
       "group by n order by n limit 1",
       R"({"n":false,"c":252000})"},
      {"select countif(if(n < 4, error, null) is null) as a, countif(case when n < 8 then error end is null) as b, "
       "countif(coalesce(error, null) is null) as c from LOG",
       R"({"a":251998,"b":251996,"c":126000})"},
      {"select countif(x.e is null) as n from (select error as e from LOG union all select null) as x",
       R"({"n":126001})"},
      {"select array_length(error) as n, count(*) as c from LOG group by n order by n limit 1",
       R"({"n":0,"c":126000})"},
  };
  const auto check_all = [&] {
    for (const char* const log : {"declared_logs", "learned_logs"}) {
      for (const auto& [sql, row] : cases) {
        INFO(log << ": " << sql);
        CHECK(folder.Rows(sql, log) == base::StrCat(row, "\n"));
      }
      const char* const counts = "select count(error) as e, countif(error is null) as x from LOG";
      CHECK(folder.Rows(counts, log, {"--project", "a"}) == "{\"e\":63000,\"x\":63000}\n");
      CHECK(folder.Rows(counts, log, {"--project", "b", "--redact-pii"}) == "{\"e\":63000,\"x\":63000}\n");
    }
  };
  check_all();
  const Outcome clustered = folder.Run({"cluster", "--data", "{}/data"});
  INFO(clustered.err);
  REQUIRE(clustered.code == kExitOk);
  check_all();
}

}  // namespace
}  // namespace logquery::shim
