// The cost of our own scalar functions in the engine: nanoseconds a row, arguments included, of functions that do little, where
// the way into and out of the engine's vectors is most of it, and of some that do more.
//
//     logquery_bench_functions [--rows N] [--repeat N]
//
// One thread, rows that the engine makes as it goes; a line's figure is the best of all repeats, as anything slower was the
// machine.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "logquery/store/duckdb_backend.h"
#include "tests/bench/bench_util.h"

namespace logquery::bench {
namespace {

struct Case {
  const char* name;
  const char* sql;  // of the column i, and of s, a text of 40 bytes
};

constexpr Case kCases[] = {
    {"arguments alone", "max(length(s))"},
    {"INT64, BOOL -> BOOL", "count(lq_fits_beside(0 * i, i % 2 = 0))"},
    {"DATE, INT64 -> DATE", "max(lq_date_plus(DATE '2026-01-01', i % 1000))"},
    {"INT64 x 3 -> TIME", "max(lq_make_time(i % 24, i % 60, i % 60))"},
    {"STRING, INT64 -> STRING", "max(length(lq_limit_length(s, 64)))"},
    {"STRING -> STRING", "max(length(lq_reverse(s)))"},
    {"STRING, STRING -> BOOL", "count(lq_like(s, '%7%8%'))"},
    {"STRING, STRING -> ARRAY<STRING>", "max(len(lq_split(s, ' ')))"},
    {"STRING... -> STRING", "max(length(lq_concat(s, s, s)))"},
    {"FLOAT64 -> FLOAT64", "max(lq_or_null_sqrt(i::DOUBLE))"},
    {"INT64 -> BIGNUMERIC -> INT64", "max(lq_big_to_int(lq_big_of_int(i)))"},
    {"STRING, STRING -> STRING, by pattern", "max(length(lq_regexp_replace(s, '[0-9]+', 'n')))"},
};

void Measure(QueryBackend& backend, const Case& one, int64_t rows, int repeat) {
  PreparedQuery::Parts parts;
  parts.dialect_text = std::string("SELECT CAST(") + one.sql +
                       " AS VARCHAR) FROM (SELECT i, 'GET /rest/v1/todos 200 in 17 ms by ' || (i % 90000 + 10000) AS s"
                       " FROM range(" +
                       std::to_string(rows) + ") AS r(i))";
  parts.schema = {{"x", Type::String()}};
  const PreparedQuery query(std::move(parts));
  double best = 1e300;
  for (int i = 0; i < repeat; ++i) {
    CollectingSink sink;
    const auto start = std::chrono::steady_clock::now();
    Need(backend.Execute(query, {}, {}, {}, sink));
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  std::printf("%-40s %8.1f ns\n", one.name, best / static_cast<double>(rows));
}

int Main(int argc, char** argv) {
  int64_t rows = 1'000'000;
  int repeat = 9;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const long long number = i + 1 < argc ? std::atoll(argv[i + 1]) : 0;
    if (number < 1 || (name != "--rows" && name != "--repeat")) {
      Fail("usage: logquery_bench_functions [--rows N] [--repeat N], each from 1 on");
    }
    if (name == "--rows") rows = number;
    if (name == "--repeat") repeat = static_cast<int>(number);
    ++i;
  }
  DuckDbOptions options;
  options.threads = 1;
  const std::unique_ptr<DuckDbBackend> backend = Need(OpenDuckDb(options));
  for (const Case& one : kCases) Measure(*backend, one, rows, repeat);
  return 0;
}

}  // namespace
}  // namespace logquery::bench

int main(int argc, char** argv) { return logquery::bench::Main(argc, argv); }
