// Queries of both kits and some of our own, with literals replaced by NULLs, negative numbers, casts and values of other types:
// each has rows or is refused. An internal error is neither.
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "tests/endpoint/served_rows.h"
#include "tests/support/folders.h"

namespace logquery {
namespace {

using base::StrCat;

struct Literal {
  size_t begin = 0;
  size_t end = 0;
  bool is_text = false;
};

bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '`' || c == '@';
}

// The numbers and the texts in single quotes.
std::vector<Literal> LiteralsOf(const std::string& sql) {
  std::vector<Literal> found;
  for (size_t at = 0; at < sql.size(); ++at) {
    if (sql[at] == '\'') {
      size_t end = at + 1;
      while (end < sql.size() && sql[end] != '\'') end += sql[end] == '\\' ? 2 : 1;
      if (end >= sql.size()) break;
      found.push_back({at, end + 1, true});
      at = end;
    } else if (IsOfName(sql[at])) {
      size_t end = at;
      while (end < sql.size() && IsOfName(sql[end])) ++end;
      if (sql.find_first_not_of("0123456789.", at) >= end && sql[at] != '.') found.push_back({at, end, false});
      at = end - 1;
    }
  }
  return found;
}

struct Language {
  const char* endpoint;
  const char* kit;
  std::vector<std::string> numbers, texts, others;
  std::vector<std::string> further;  // queries with clauses that the kit has seldom
};

const Language kBigQuery = {"logs.all",
                            "tests/engines/kit/queries.jsonl",
                            {"cast(null as int64)", "null", "-1", "0", "7", "cast(-5 as int64)", "9223372036854775807",
                             "1.5", "cast('7' as int64)", "cast('nan' as float64)", "(1 - 5)", "numeric '1'"},
                            {"cast(null as string)", "null", "''", "'x'", "'%'", "b'x'"},
                            {"true", "[]", "[1]", "struct(1, 2)", "date '2020-01-01'", "interval 1 day", "json '1'"},
                            {"select array(select r.method from unnest(t.metadata) as m, unnest(m.request) as r order "
                             "by 1 limit 3 offset 1) as a from edge_logs as t",
                             "select id, sum(1) over (order by unix_seconds(timestamp) range between 2 preceding and 1 "
                             "preceding) as n from edge_logs",
                             "select id, sum(1) over (order by unix_seconds(timestamp) rows between 1 following and 3 "
                             "following) as n from edge_logs",
                             "select count(*) as n, 5 as k, 'a' as j from edge_logs group by rollup(k, j)",
                             "select count(*) as n from edge_logs group by grouping sets (id, 5, 'a')",
                             "select lag(id, 2, 'none') over (order by id) as l, ntile(3) over (order by id) as b, "
                             "nth_value(id, 2) over (order by id) as v from edge_logs",
                             "select approx_quantiles(length(id), 4)[offset(1)] as q, percentile_cont(length(id), 0.5) "
                             "over () as p from edge_logs",
                             "select string_agg(id, ',' order by id limit 2) as s, array_agg(id limit 2) as a, "
                             "approx_top_count(id, 3) as t from edge_logs",
                             "select substr(id, 2, 3) as a, lpad(id, 9, 'x') as b, repeat(id, 2) as c, split(id, "
                             "',')[safe_offset(0)] as d from edge_logs",
                             "select * from edge_logs tablesample system (10 percent) limit 5 offset 2"}};

const Language kClickHouse = {
    "logs.all.otel",
    "tests/clickhouse_sql/kit/queries.jsonl",
    {"NULL", "-1", "0", "7", "toInt64(-5)", "18446744073709551615", "1.5", "nan", "inf", "toNullable(1)", "(1 - 5)",
     "toInt8(200)", "toDecimal64('1.5', 2)", "(select 1)"},
    {"NULL", "''", "'x'", "'%'", "toNullable('x')", "toString(1)"},
    {"true", "[]", "[1]", "(1, 2)", "toDate('2020-01-01')", "toIntervalDay(1)", "now()"},
    {"select id from logs order by timestamp limit 2 offset 1",
     "select id from logs order by id limit 1 by source limit 5",
     "select max(length(id) + 1) as a, min(2 - length(id)) as b, quantile(0.5)(length(id)) as q from logs where id = "
     "'none'",
     "select lagInFrame(id, 1, 'none') over (order by id rows between 1 preceding and 1 following) as l from logs",
     "select substring(id, 2, 3) as a, leftPad(id, 9, 'x') as b, splitByChar(',', id)[1] as c, round(1.55, 1) as d "
     "from logs",
     "select toStartOfInterval(timestamp, toIntervalMinute(5)) as t, count() as n from logs group by t order by t with "
     "fill step 60"}};

std::vector<std::string> QueriesOf(const Language& language) {
  std::vector<std::string> queries = language.further;
  std::ifstream kit(testing::SourcePath(language.kit));
  for (std::string line; std::getline(kit, line);)
    queries.push_back(nlohmann::json::parse(line)["sql"].get<std::string>());
  return queries;
}

// Draws a query and replaces one or two of its literals.
class Replacer {
 public:
  explicit Replacer(const Language& language, uint64_t seed)
      : language_(language), queries_(QueriesOf(language)), random_(seed) {}

  size_t queries() const { return queries_.size(); }

  std::string Next() {
    // Every fourth query is one of our own, which are few.
    const bool own = Below(4) == 0;
    std::string sql = queries_[Below(own ? language_.further.size() : queries_.size())];
    for (size_t times = Below(4) == 0 ? 2 : 1; times > 0; --times) {
      const std::vector<Literal> literals = LiteralsOf(sql);
      if (literals.empty()) return sql;
      const Literal literal = literals[Below(literals.size())];
      const auto& of_type = literal.is_text ? language_.texts : language_.numbers;
      const auto& values = Below(8) == 0 ? language_.others : of_type;
      sql.replace(literal.begin, literal.end - literal.begin, values[Below(values.size())]);
    }
    return sql;
  }

 private:
  size_t Below(size_t count) { return random_() % count; }

  const Language& language_;
  const std::vector<std::string> queries_;
  std::mt19937_64 random_;
};

uint64_t NumberOf(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST_CASE("a query whose literals are replaced has rows or is refused", "[slow]") {
  ServedRows rows(Endpoint::BuiltIn());
  const uint64_t seed = NumberOf("LOGQUERY_SEED", 30);
  const uint64_t queries = NumberOf("LOGQUERY_QUERIES", 700);
  for (const Language* language : {&kBigQuery, &kClickHouse}) {
    Replacer replacer(*language, seed);
    REQUIRE(replacer.queries() > language->further.size() + 50);
    uint64_t with_rows = 0;
    for (uint64_t number = 0; number < queries; ++number) {
      const std::string sql = replacer.Next();
      CAPTURE(seed, number, sql);
      QueryRequest request;
      request.endpoint = language->endpoint;
      request.parameters = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", sql}};
      const auto answer = rows.service->Run(request);
      INFO(answer.status().ToString());
      with_rows += answer.ok() ? 1 : 0;
      const absl::StatusCode code = answer.status().code();
      CHECK(code != absl::StatusCode::kInternal);
      CHECK(code != absl::StatusCode::kUnknown);
      CHECK(code != absl::StatusCode::kUnavailable);
    }
    // Most are run, so that the engine sees them.
    CHECK(with_rows * 4 > queries);
  }
}

}  // namespace
}  // namespace logquery
