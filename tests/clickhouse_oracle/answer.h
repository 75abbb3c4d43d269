// Answers of both sides in one form: what Logflare's decoder makes of ClickHouse's values, which is what our endpoint returns.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_ORACLE_ANSWER_H_
#define LOGQUERY_TESTS_CLICKHOUSE_ORACLE_ANSWER_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace logquery::clickhouse_oracle {

struct Answer {
  std::string error;               // empty: there are rows
  std::vector<std::string> names;  // of ClickHouse's answers
  std::vector<std::string> types;
  std::vector<nlohmann::json> rows;  // arrays, in the order of the columns
};

// Reads the body of an endpoint: `{"result":[{…}]}`. It has no types.
Answer ReadEndpoint(std::string_view body);

// Reads JSONCompactEachRowWithNamesAndTypes. Times, decimals and bytes that are no UTF-8 are written as the endpoint has them.
Answer ReadClickHouse(std::string_view body);

// The type's name without LowCardinality, which is a way of storing.
std::string PlainType(std::string_view type);

// Returns how the rows differ; empty: they are the same. FLOAT64s may differ in the last digits, because sums depend on the
// order of rows. `ordered`: the order of rows counts.
std::string RowDifference(const Answer& ours, const Answer& right, bool ordered);

}  // namespace logquery::clickhouse_oracle

#endif  // LOGQUERY_TESTS_CLICKHOUSE_ORACLE_ANSWER_H_
