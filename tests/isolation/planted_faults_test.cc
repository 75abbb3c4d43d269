// The checks can fail: faults of the kinds that they are there for, planted in queries written for the engine by hand, are found
// as a difference or as a marker.
#include "lib/base/strings.h"
#include "tests/isolation/difference.h"
#include "tests/isolation/isolation_test_util.h"

namespace logquery::isolation {
namespace {

// The engine's result for SQL of its own dialect, as a call would answer it.
Answer RunEngine(Reader& reader, const std::string& sql) {
  PreparedQuery::Parts parts;
  parts.dialect_text = sql;
  parts.schema = {{"x", Type::String()}};
  CollectingSink sink;
  Answer answer;
  answer.status = reader.backend().Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink);
  for (const std::vector<Value>& row : sink.rows()) base::StrAppend(&answer.rows, row.at(0).DebugString(), "\n");
  return answer;
}

struct Compared {
  std::string difference, leak;
};

Compared Compare(const std::string& sql) {
  Twins& twins = TwinsFor(Caller::kScopedToken);
  const Answer alone = RunEngine(twins.alone(), sql), shared = RunEngine(twins.shared(), sql);
  INFO(sql << ": " << alone.status);
  CHECK(Leak(alone).empty());
  return {Difference(alone, shared), Leak(shared)};
}

TEST_CASE("a query that reads the own rows alone is the same in both folders") {
  const Compared same = Compare("SELECT max(event_message) AS x FROM \"tenant.logs\" WHERE project = 'own'");
  CHECK(same.difference.empty());
  CHECK(same.leak.empty());
}

TEST_CASE("a scan without the project's filter is found by its rows") {
  CHECK_FALSE(Compare("SELECT CAST(count(*) AS VARCHAR) AS x FROM \"tenant.logs\"").difference.empty());
  CHECK_FALSE(Compare("SELECT max(event_message) AS x FROM \"tenant.logs\"").leak.empty());
}

TEST_CASE("a filter above the project's is found by its error, and by the value in it") {
  const Compared above = Compare(
      "SELECT CAST(count(*) AS VARCHAR) AS x FROM (SELECT project, CAST(event_message AS BIGINT) AS n FROM "
      "\"tenant.logs\" "
      "OFFSET 0) WHERE project = 'own' AND n > 0");
  CHECK_FALSE(above.difference.empty());
  const Compared quoted = Compare(
      "SELECT CAST(count(*) AS VARCHAR) AS x FROM (SELECT project, CAST(word AS BLOB) AS w, CASE WHEN word LIKE "
      "'%zqx%' THEN "
      "error(word) END AS e FROM \"tenant.logs\" OFFSET 0) WHERE project = 'own' AND e IS NULL");
  CHECK_FALSE(quoted.leak.empty());
}

TEST_CASE("an order of threads is no difference, a value of another order is") {
  Answer a{absl::OkStatus(), "1\n2\n"}, b{absl::OkStatus(), "2\n1\n"}, c{absl::OkStatus(), "2\n2\n"};
  CHECK(Difference(a, b).empty());
  CHECK_FALSE(Difference(a, c).empty());
}

}  // namespace
}  // namespace logquery::isolation
