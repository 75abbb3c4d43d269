// Conditions over values that engines differ on, to be worked out there and here and compared. Columns stand in braces: {s} STRING,
// {n} INT64, {b} BOOL, {t} TIMESTAMP, {d} DATE, {x} FLOAT64, {ms} and {mn} fields of the record m.
#ifndef LOGQUERY_TESTS_SUPPORT_MEANING_CASES_H_
#define LOGQUERY_TESTS_SUPPORT_MEANING_CASES_H_

#include <string>
#include <vector>

namespace logquery::testing {

// Values of {s}, as they stand between quotes of SQL.
const std::vector<std::string>& MeaningTexts();
std::vector<std::string> MeaningConditions();

// The columns as they are.
std::string There(const std::string& condition);
// The columns after something that no engine elsewhere is asked for.
std::string Here(const std::string& condition);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_MEANING_CASES_H_
