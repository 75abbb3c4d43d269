// Counts the values at each path of rows by their kinds, and keeps the first of each kind.
//
//     RowFields fields;
//     fields.Add(row, "app_logs.ndjson:7");
//     for (const FieldValues& field : fields.fields()) …
#ifndef LOGQUERY_LIB_TOOLS_ROW_VALUES_H_
#define LOGQUERY_LIB_TOOLS_ROW_VALUES_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/json/value.h"

namespace logquery::endpoint {

inline constexpr size_t kMostFields = 200;  // of a record, and of the row

// Kinds by what they are loaded as: a text of digits also goes into a column of integers.
enum class ValueKind {
  kBool,
  kBoolText,
  kInteger,
  kIntegerText,
  kFloat,
  kFloatText,
  kText,
  kRecord,
  kEmptyList,
  kList
};
inline constexpr size_t kValueKinds = 10;

struct TimeUnit {
  std::string_view name;
  int64_t in_second;
};
inline constexpr std::array<TimeUnit, 4> kTimeUnits = {
    {{"us", 1'000'000}, {"s", 1}, {"ms", 1'000}, {"ns", 1'000'000'000}}};

// A value, for messages: app_logs.ndjson:7 and "oops".
struct ValueSample {
  int64_t row = 0;  // its number, from 1; 0: there is none
  std::string place;
  std::string value;  // one line, cut
};

// The values at one path.
struct FieldValues {
  std::string name;
  std::array<int64_t, kValueKinds> counts{};  // by kind
  std::array<ValueSample, kValueKinds> first;
  int64_t nulls = 0;
  bool large = false;    // an integer that FLOAT64 does not hold exactly, or one beyond INT64
  bool unclear = false;  // lists of lists, lists of several records, too deep or too many fields
  int64_t time_texts = 0;
  std::array<int64_t, kTimeUnits.size()> times{};              // numbers and texts that are times, read in this unit
  std::array<ValueSample, kTimeUnits.size()> first_without{};  // the first value that is none
  ValueSample clf_time;                                        // the first "29/Nov/2026:05:25:53 +0000"
  std::vector<FieldValues> fields;                             // of records
  std::unique_ptr<FieldValues> items;                          // of lists

  int64_t count(ValueKind kind) const { return counts[static_cast<size_t>(kind)]; }
  int64_t texts() const {
    return count(ValueKind::kText) + count(ValueKind::kBoolText) + count(ValueKind::kIntegerText) +
           count(ValueKind::kFloatText);
  }
  int64_t numbers() const { return count(ValueKind::kInteger) + count(ValueKind::kFloat); }
  int64_t lists() const { return count(ValueKind::kList) + count(ValueKind::kEmptyList); }
  int64_t values() const;

  // The unit in which most values are times; the first of kTimeUnits, which `load` takes by itself, where it is as good.
  size_t BestUnit() const;
  // Nearly all values are times.
  bool HoldsTimes() const;
};

class RowFields {
 public:
  // `place` names the row's line.
  void Add(const base::Json& row, std::string_view place);
  const std::vector<FieldValues>& fields() const { return fields_; }
  bool has_all() const { return has_all_; }  // no row had more than kMostFields of them

 private:
  int64_t rows_ = 0;
  bool has_all_ = true;
  std::vector<FieldValues> fields_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_ROW_VALUES_H_
