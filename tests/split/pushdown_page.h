// docs/pushdown.md's tables: what each engine elsewhere is asked for, found by asking the code that decides it.
#ifndef LOGQUERY_TESTS_SPLIT_PUSHDOWN_PAGE_H_
#define LOGQUERY_TESTS_SPLIT_PUSHDOWN_PAGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/emit/dialect.h"
#include "lib/rewrite/functions/functions.h"
#include "tests/split/sample_calls.h"

namespace logquery::testing {

struct RemoteEngine {
  std::string_view name;
  const emit::SqlDialect* dialect;
};
// PostgreSQL, ClickHouse and BigQuery.
const std::vector<RemoteEngine>& RemoteEngines();

// The calls of a row of the function table that an engine is given.
struct Pushdown {
  enum class Answer { kNo, kIf, kYes };
  Answer answer = Answer::kNo;
  std::string note;                 // kIf: on which conditions; kNo: why not
  std::vector<std::string> types;   // that T1 and the like stand for in calls that go there; "" where the row has none
  std::vector<std::string> untold;  // samples of which the note says the wrong thing; a correct note leaves none
};
Pushdown PushdownOf(const rewrite::Overload& overload, const emit::Powers& powers);

// Markdown.
std::string ShapeTable();
std::string FunctionTables();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SPLIT_PUSHDOWN_PAGE_H_
