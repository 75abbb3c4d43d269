// Tells times by the years 2000 to 2100, which are those that a folder takes.
#include "lib/tools/row_values.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

#include "lib/base/one_line.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/model/time_text.h"

namespace logquery::endpoint {
namespace {

using base::Json;

constexpr int kMostDepth = 15;  // as deep as fields are learned
constexpr int64_t kExactInFloat = int64_t{1} << 53;
constexpr int64_t kFirstSecond = 946'684'800;
constexpr int64_t kEndSecond = 4'133'980'800;
constexpr int64_t kMicrosInSecond = 1'000'000;

struct RowPlace {
  int64_t row;
  std::string_view place;
};

using Times = std::array<bool, kTimeUnits.size()>;  // by unit

Times TimesOf(int64_t number) {
  Times times{};
  for (size_t i = 0; i < kTimeUnits.size(); ++i) {
    const int64_t seconds = number / kTimeUnits[i].in_second;
    times[i] = seconds >= kFirstSecond && seconds < kEndSecond;
  }
  return times;
}

// Seconds with a fraction, such as nginx's $msec.
Times TimesOf(double number) {
  Times times{};
  for (size_t i = 0; i < kTimeUnits.size(); ++i) {
    times[i] = kTimeUnits[i].in_second == 1 && number >= kFirstSecond && number < kEndSecond;
  }
  return times;
}

bool IsTimeText(std::string_view text) {
  const auto time = model::ParseTimestampText(text, "UTC");
  if (!time.ok()) return false;
  const int64_t micros = time->int64_value();
  return micros >= kFirstSecond * kMicrosInSecond && micros < kEndSecond * kMicrosInSecond;
}

// "29/Nov/2026:05:25:53 +0000": the form of the common log format, which is that of nginx's $time_local.
bool IsClfTime(std::string_view text) {
  constexpr std::string_view kForm = "00/Aaa/0000:00:00:00 ";
  if (text.size() < kForm.size()) return false;
  for (size_t i = 0; i < kForm.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool fits = kForm[i] == '0' ? absl::ascii_isdigit(c)
                      : absl::ascii_isalpha(static_cast<unsigned char>(kForm[i]))
                          ? absl::ascii_isalpha(c)
                          : c == static_cast<unsigned char>(kForm[i]);
    if (!fits) return false;
  }
  return true;
}

template <typename Number>
std::optional<Number> WholeNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

FieldValues* Child(std::vector<FieldValues>& fields, const std::string& name) {
  for (FieldValues& field : fields) {
    if (field.name == name) return &field;
  }
  if (fields.size() == kMostFields) return nullptr;
  fields.emplace_back();
  fields.back().name = name;
  return &fields.back();
}

ValueSample SampleOf(const Json& value, const RowPlace& at) {
  constexpr size_t kLongest = 60;
  return {at.row, std::string(at.place),
          value.is_string() ? base::QuotedText(value.text()) : base::OneLine(value.ToString(), kLongest)};
}

void Count(const Json& value, ValueKind kind, bool is_text_time, const Times& times, const RowPlace& at,
           FieldValues& field) {
  const auto index = static_cast<size_t>(kind);
  ++field.counts[index];
  if (field.first[index].row == 0) field.first[index] = SampleOf(value, at);
  if (is_text_time) ++field.time_texts;
  for (size_t i = 0; i < times.size(); ++i) {
    if (is_text_time || times[i]) {
      ++field.times[i];
    } else if (field.first_without[i].row == 0) {
      field.first_without[i] = SampleOf(value, at);
    }
  }
}

void AddNumber(const Json& value, const RowPlace& at, FieldValues& field) {
  if (value.is_number_float()) return Count(value, ValueKind::kFloat, false, TimesOf(value.get<double>()), at, field);
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
    field.large = true;
    return Count(value, ValueKind::kFloat, false, {}, at, field);
  }
  const auto number = value.get<int64_t>();
  field.large = field.large || number > kExactInFloat || number < -kExactInFloat;
  Count(value, ValueKind::kInteger, false, TimesOf(number), at, field);
}

void AddText(const Json& value, const RowPlace& at, FieldValues& field) {
  const std::string_view text = value.text();
  if (const auto integer = WholeNumber<int64_t>(text))
    return Count(value, ValueKind::kIntegerText, false, TimesOf(*integer), at, field);
  if (const auto number = WholeNumber<double>(text))
    return Count(value, ValueKind::kFloatText, false, TimesOf(*number), at, field);
  const bool is_bool = base::EqualsIgnoreCase(text, "true") || base::EqualsIgnoreCase(text, "false");
  if (field.clf_time.row == 0 && IsClfTime(text)) field.clf_time = SampleOf(value, at);
  Count(value, is_bool ? ValueKind::kBoolText : ValueKind::kText, IsTimeText(text), {}, at, field);
}

void AddFields(const Json& record, const RowPlace& at, int depth, std::vector<FieldValues>& fields, bool& all);

void AddValue(const Json& value, const RowPlace& at, int depth, FieldValues& field) {
  if (depth > kMostDepth) {
    field.unclear = true;
    return;
  }
  if (value.is_null()) {
    ++field.nulls;
  } else if (value.is_boolean()) {
    Count(value, ValueKind::kBool, false, {}, at, field);
  } else if (value.is_number()) {
    AddNumber(value, at, field);
  } else if (value.is_string()) {
    AddText(value, at, field);
  } else if (value.is_object()) {
    Count(value, ValueKind::kRecord, false, {}, at, field);
    bool all = true;
    AddFields(value, at, depth + 1, field.fields, all);
    field.unclear = field.unclear || !all;
  } else {
    // A list of one record is a record, as BigQuery writes it.
    if (value.size() == 1 && value[0].is_object()) return AddValue(value[0], at, depth, field);
    Count(value, value.empty() ? ValueKind::kEmptyList : ValueKind::kList, false, {}, at, field);
    if (field.items == nullptr) field.items = std::make_unique<FieldValues>();
    for (const Json& item : value) {
      field.unclear = field.unclear || item.is_structured();
      if (!item.is_structured()) AddValue(item, at, depth + 1, *field.items);
    }
  }
}

void AddFields(const Json& record, const RowPlace& at, int depth, std::vector<FieldValues>& fields, bool& all) {
  for (const auto& [name, value] : record.items()) {
    FieldValues* const field = Child(fields, name);
    all = all && field != nullptr;
    if (field != nullptr) AddValue(value, at, depth, *field);
  }
}

}  // namespace

int64_t FieldValues::values() const { return std::accumulate(counts.begin(), counts.end(), int64_t{0}); }

size_t FieldValues::BestUnit() const {
  return static_cast<size_t>(std::max_element(times.begin(), times.end()) - times.begin());
}

bool FieldValues::HoldsTimes() const {
  constexpr int64_t kTenths = 9;
  const int64_t all = values();
  return all > 0 && times[BestUnit()] * 10 >= all * kTenths;
}

void RowFields::Add(const Json& row, std::string_view place) { AddFields(row, {++rows_, place}, 1, fields_, has_all_); }

}  // namespace logquery::endpoint
