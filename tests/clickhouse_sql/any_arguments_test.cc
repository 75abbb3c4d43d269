// Each function of ClickHouse SQL with arguments of each kind, also those that make no sense: a call becomes a plan, or an error of
// the caller's.
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "tests/clickhouse_sql/otel_answers.h"
#include "tests/fuzz/otel_calls.h"

namespace logquery {
namespace {

// The first kShapes in pairs, all of them alone and at random.
constexpr size_t kShapes = 10;
constexpr std::string_view kArguments[] = {"1",
                                           "'a'",
                                           "NULL",
                                           "[1]",
                                           "[]",
                                           "(1,'a')",
                                           "x -> x",
                                           "timestamp",
                                           "log_attributes",
                                           "true",
                                           "-1",
                                           "1.5",
                                           "''",
                                           "[NULL]",
                                           "['a','b']",
                                           "x -> NULL",
                                           "(x, y) -> x",
                                           "id",
                                           "'UTC'",
                                           "'day'",
                                           "toUInt64(1)",
                                           "today()",
                                           "toIntervalDay(1)",
                                           "*",
                                           "map('a', 'b')",
                                           "18446744073709551615",
                                           "(SELECT 1)",
                                           "undefined_name"};
constexpr std::string_view kAggregates[] = {"count",   "sum",       "avg",       "min",        "max",
                                            "any",     "uniq",      "uniqExact", "groupArray", "argMax",
                                            "argMin",  "quantile",  "quantiles", "median",     "topK",
                                            "countIf", "sumIf",     "avgIf",     "uniqIf",     "groupUniqArray",
                                            "anyLast", "stddevPop", "sumArray",  "minMap"};

std::vector<std::string_view> Names() {
  std::vector<std::string_view> names(std::begin(kAggregates), std::end(kAggregates));
  for (const std::string& name : clickhouse_sql::FunctionNames()) names.push_back(name);
  return names;
}

void CheckCall(const fuzz::OtelCalls& plans, std::string_view name, const std::vector<std::string>& arguments,
               int& planned) {
  const std::string sql = base::StrCat("SELECT ", name, "(", base::Join(arguments, ", "), ") AS c0 FROM logs");
  const absl::Status status = plans.Plan(sql);
  if (status.ok()) ++planned;
  if (!status.ok() && !fuzz::IsOfTheCaller(status)) FAIL_CHECK(sql << "\n" << status);
}

TEST_CASE("a function of ClickHouse SQL takes arguments of any kinds, or refuses them as the caller's") {
  const fuzz::OtelCalls plans;
  std::mt19937_64 random(20'261'130);
  const auto any = [&] { return std::string(kArguments[random() % std::size(kArguments)]); };
  int planned = 0;
  for (const std::string_view name : Names()) {
    CheckCall(plans, name, {}, planned);
    for (const std::string_view argument : kArguments) CheckCall(plans, name, {std::string(argument)}, planned);
    for (size_t i = 0; i < kShapes * kShapes; ++i) {
      CheckCall(plans, name, {std::string(kArguments[i / kShapes]), std::string(kArguments[i % kShapes])}, planned);
    }
    for (int i = 0; i < 10; ++i) CheckCall(plans, name, {any(), any(), any()}, planned);
  }
  CHECK(planned > 2'000);
}

TEST_CASE("a window of ClickHouse SQL has any key and any frame, or is refused as the caller's") {
  constexpr std::string_view kKeys[] = {"timestamp",
                                        "toDateTime(timestamp)",
                                        "toDate(timestamp)",
                                        "id",
                                        "1",
                                        "1.5",
                                        "true",
                                        "NULL",
                                        "log_attributes",
                                        "(id, 1)",
                                        "[1]",
                                        "toUInt64(1), id"};
  constexpr std::string_view kFirst[] = {"UNBOUNDED PRECEDING", "2 PRECEDING",         "CURRENT ROW",
                                         "1 FOLLOWING",         "UNBOUNDED FOLLOWING", "-1 PRECEDING"};
  ServedRows rows(OnlyOtel());
  int answered = 0;
  for (const std::string_view key : kKeys) {
    for (const std::string_view unit : {"ROWS", "RANGE"}) {
      for (const std::string_view first : kFirst) {
        for (const std::string_view last : kFirst) {
          const std::string sql = base::StrCat("SELECT sum(1) OVER (ORDER BY ", key, " ", unit, " BETWEEN ", first,
                                               " AND ", last, ") AS c0 FROM logs");
          const std::string answer = OtelAnswer(rows, sql);
          if (answer.starts_with("{")) {
            ++answered;
          } else if (!answer.starts_with("INVALID_ARGUMENT")) {
            FAIL_CHECK(sql << "\n" << answer);
          }
        }
      }
    }
  }
  CHECK(answered > 100);
}

TEST_CASE("arrays that are read together have the same length") {
  CheckQueries({{"select arrayMap((x, y) -> x + y, [1, 2], [3, 4]) as a", R"({"a":[4,6]})"},
                {"select x, y from (select 1 as id) as t array join [1, 2] as x, ['a', 'b'] as y order by x",
                 R"({"x":1,"y":"a"},{"x":2,"y":"b"})"}});
  ServedRows rows(OnlyOtel());
  for (const char* sql : {"select arrayMap((x, y) -> x + y, [1, 2], [3]) as a",
                          "select x, y from (select 1 as id) as t array join [1, 2] as x, ['a'] as y"}) {
    CAPTURE(sql);
    const std::string answer = OtelAnswer(rows, sql);
    CHECK(answer.find("wants arrays of the same length") != std::string::npos);
    CHECK(answer.starts_with("INVALID_ARGUMENT"));
  }
}

TEST_CASE("RANGE counts days of a Date and seconds of a DateTime") {
  CheckQueries({{"select x, count() over (order by toDateTime(x) range between 1 preceding and current row) as n "
                 "from (select arrayJoin([1, 2, 4, 5]) as x) order by x",
                 R"({"x":1,"n":1},{"x":2,"n":2},{"x":4,"n":1},{"x":5,"n":2})"},
                {"select x, count() over (order by toDate(x) desc range between 2 preceding and current row) as n "
                 "from (select arrayJoin([1, 2, 4, 5]) as x) order by x",
                 R"({"x":1,"n":2},{"x":2,"n":2},{"x":4,"n":2},{"x":5,"n":1})"}});
}

}  // namespace
}  // namespace logquery
