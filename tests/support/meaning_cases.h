// Conditions over values that engines differ on, to be worked out there and here and compared. Columns stand in braces: {s} STRING,
// {n} INT64, {b} BOOL, {t} TIMESTAMP, {d} DATE, {dt} DATETIME, {x} FLOAT64, {ms}, {mn} and {mb} fields of the record m,
// which is read as r.
#ifndef LOGQUERY_TESTS_SUPPORT_MEANING_CASES_H_
#define LOGQUERY_TESTS_SUPPORT_MEANING_CASES_H_

#include <string>
#include <vector>

namespace logquery::testing {

// Values of {s}, as they stand between quotes of SQL.
const std::vector<std::string>& MeaningTexts();
// Conditions of each engine: what all have, and what it alone is asked. Every function that goes to the engine stands in one of
// its conditions or queries, with every type of argument: tests/split/meaning_coverage_test.cc.
std::vector<std::string> PostgresConditions();
std::vector<std::string> ClickHouseConditions();
// Expressions of each engine, whose values are compared row by row.
std::vector<std::string> PostgresValues();
std::vector<std::string> ClickHouseValues();
// Whole queries of each engine: sorted and limited rows, groups and aggregates, and values of expressions for each row.
std::vector<std::string> PostgresQueries();
std::vector<std::string> ClickHouseQueries();
// The reason why queries that sum have work left here: an engine adds up, and the range is checked here. All others are answered
// by the engine as a whole.
inline constexpr char kCheckedHere[] = "the range of SUM and AVG is checked here";
// The query of the rows that meet the condition.
std::string MeaningQuery(const std::string& condition);

// The columns as they are.
std::string There(const std::string& condition);
// The columns after something that no engine elsewhere is asked for.
std::string Here(const std::string& condition);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_MEANING_CASES_H_
