// The three endpoints once more, as plain loops over the NDJSON: no engine, no SQL, nothing of logquery's own.
// Written from the specification; what it leaves open from its settlement in docs.
#ifndef LOGQUERY_TESTS_REFERENCE_REFERENCE_H_
#define LOGQUERY_TESTS_REFERENCE_REFERENCE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace logquery::reference {

using Json = nlohmann::ordered_json;

// Microseconds since 1970.
inline constexpr int64_t kSecond = 1'000'000;
inline constexpr int64_t kMinute = 60 * kSecond;
inline constexpr int64_t kHour = 60 * kMinute;
inline constexpr int64_t kDay = 24 * kHour;

struct Row {
  int64_t timestamp = 0;
  Json json;  // as it stood in the file
};

struct Logs {
  std::vector<Row> edge;
  std::vector<Row> relay;
  Json edge_metadata_fields;  // name → type or fields, as the schema file has them
};

// Adds the rows of an NDJSON file, and reads which fields metadata has from a log_schema.json.
void ReadRows(const std::string& path, std::vector<Row>& rows);
Json ReadMetadataFields(const std::string& schema_path, const std::string& table);

// `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`.
int64_t ParseTime(const std::string& text);

struct LogsAllCall {
  std::string tier, project;
  std::optional<int64_t> start, end;
};
struct InvocationStatsCall {
  std::string interval, project, function_id;
};
struct ApiCountsCall {
  std::string interval, pattern;
  std::string only_project;  // a token's scope; empty: none
};

// The array that stands under "result".
Json LogsAll(const Logs& logs, const LogsAllCall& call, int64_t now);
Json InvocationStats(const Logs& logs, const InvocationStatsCall& call, int64_t now);
Json ApiCounts(const Logs& logs, const ApiCountsCall& call, int64_t now);

// The place of the first difference, between numbers with a fraction by more than 1e-9 of their size; empty: none. Keys in order.
std::string Difference(const Json& wanted, const Json& is, const std::string& where = "result");

}  // namespace logquery::reference

#endif  // LOGQUERY_TESTS_REFERENCE_REFERENCE_H_
