// Chooses the writer for a type once; nested types have one JsonCell for each part.
#include "lib/result/json_cell.h"

#include <charconv>
#include <cmath>

#include "absl/strings/escaping.h"
#include "lib/base/json_text.h"
#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"
#include "lib/model/civil_text.h"
#include "lib/model/decimal_text.h"
#include "lib/result/json_string.h"

namespace logquery::result {
namespace {

// Above this number, readers that keep numbers as doubles cannot distinguish neighbouring integers.
constexpr int64_t kExactInDouble = int64_t{1} << 53;

constexpr size_t kLongestNumber = 32;

void WriteNumber(int64_t number, Output& out) {
  char* const begin = out.Reserve(kLongestNumber);
  out.SetEnd(std::to_chars(begin, begin + kLongestNumber, number).ptr);
}

// The shortest digits that read back as the same double, and read as one: 5.0.
void WriteFloat64(double number, Output& out) {
  if (std::isnan(number)) return out.Append("\"NaN\"");
  if (std::isinf(number)) return out.Append(number < 0 ? "\"-Infinity\"" : "\"Infinity\"");
  char* const begin = out.Reserve(kLongestNumber);
  char* end = std::to_chars(begin, begin + kLongestNumber - 2, number).ptr;
  const std::string_view digits(begin, static_cast<size_t>(end - begin));
  if (digits.find_first_of(".e") == std::string_view::npos) {
    *end++ = '.';
    *end++ = '0';
  }
  out.SetEnd(end);
}

// Appends what `append` makes, which has nothing to escape, in quotes.
template <typename AppendText>
void WriteQuoted(const AppendText& append, Output& out) {
  std::string text = "\"";
  append(text);
  text += '"';
  out.Append(text);
}

void WriteBase64(std::string_view bytes, Output& out) {
  out.Append('"');
  out.Append(absl::Base64Escape(base::ToAbsl(bytes)));
  out.Append('"');
}

// Returns the text before the value of each field; `opening` belongs to the first.
std::vector<std::string> FieldKeys(const std::vector<Field>& fields, std::string_view opening) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string& key = keys.emplace_back(i == 0 ? opening : ",");
    // BigQuery's name for a field that has none.
    AppendJsonString(fields[i].name.empty() ? base::StrCat("_field_", i + 1) : fields[i].name, key);
    key += ':';
  }
  return keys;
}

}  // namespace

JsonCell::JsonCell(const Type& type, const EncodeOptions& options)
    : kind_(type.kind()), record_(type.is_record()), options_(&options) {
  if (type.is_array() && !record_) {
    children_.emplace_back(type.element(), options);
    return;
  }
  for (const Field& field : type.fields()) children_.emplace_back(field.type, options);
  keys_ = FieldKeys(type.fields(), record_ ? "[{" : "{");
}

void JsonCell::Write(const ColumnView& column, int64_t row, Output& out) const {
  if (!column.IsNull(row)) return WriteValue(column, row, out);
  // A record that is not there is an array without elements, and a NULL array is nothing else to BigQuery.
  if (kind_ == TypeKind::kArray) return out.AppendLiteral("[]");
  out.AppendLiteral("null");
}

void JsonCell::WriteValue(const ColumnView& column, int64_t row, Output& out) const {
  switch (kind_) {
    case TypeKind::kBool:
      if (column.BoolAt(row)) return out.AppendLiteral("true");
      return out.AppendLiteral("false");
    case TypeKind::kInt64:
      return WriteInt64(column.Int64At(row), out);
    case TypeKind::kTimestamp:
      return WriteNumber(column.Int64At(row), out);
    case TypeKind::kFloat64:
      return WriteFloat64(column.Float64At(row), out);
    case TypeKind::kBigNumeric:
      return WriteQuoted([&](std::string& text) { text += model::BigNumericText(column.StringAt(row)); }, out);
    case TypeKind::kNumeric:
      return WriteQuoted([&](std::string& text) { model::AppendDecimal(column.Int128At(row), column.scale(), text); },
                         out);
    case TypeKind::kString:
      return WriteText(column.StringAt(row), out);
    case TypeKind::kBytes:
      return WriteBase64(column.StringAt(row), out);
    case TypeKind::kJson:
      return WriteJsonText(column.StringAt(row), out);
    case TypeKind::kDate:
      return WriteQuoted([&](std::string& text) { model::AppendDate(column.Int32At(row), text); }, out);
    case TypeKind::kTime:
      return WriteQuoted([&](std::string& text) { model::AppendTime(column.Int64At(row), text); }, out);
    case TypeKind::kDatetime:
      return WriteQuoted([&](std::string& text) { model::AppendDatetime(column.Int64At(row), 'T', text); }, out);
    case TypeKind::kInterval: {
      const PackedInterval packed = column.IntervalAt(row);
      const Interval interval{packed.months, packed.days, packed.micros};
      return WriteQuoted([&](std::string& text) { model::AppendInterval(interval, text); }, out);
    }
    case TypeKind::kArray:
      return record_ ? WriteFields(column, row, out) : WriteElements(column, row, out);
    case TypeKind::kStruct:
      return WriteFields(column, row, out);
  }
}

void JsonCell::WriteText(std::string_view text, Output& out) const {
  if (options_->redactor != nullptr && options_->redactor->Matches(text)) {
    return WriteJsonString(options_->redactor->Redact(text), out);
  }
  WriteJsonString(text, out);
}

void JsonCell::WriteJsonText(std::string_view text, Output& out) const {
  std::string compact;
  if (base::AppendCompactJson(text, options_->redactor, compact)) return out.Append(compact);
  // Invalid JSON would break the whole answer. As a string it can be inspected.
  WriteText(text, out);
}

void JsonCell::WriteInt64(int64_t number, Output& out) const {
  const bool as_text = options_->int64_as_string && (number > kExactInDouble || number < -kExactInDouble);
  if (as_text) out.Append('"');
  WriteNumber(number, out);
  if (as_text) out.Append('"');
}

void JsonCell::WriteElements(const ColumnView& column, int64_t row, Output& out) const {
  const ListSlice slice = column.ListAt(row);
  const ColumnView& elements = column.child(0);
  out.Append('[');
  for (uint64_t i = 0; i < slice.length; ++i) {
    if (i > 0) out.Append(',');
    children_[0].Write(elements, static_cast<int64_t>(slice.offset + i), out);
  }
  out.Append(']');
}

void JsonCell::WriteFields(const ColumnView& column, int64_t row, Output& out) const {
  if (children_.empty()) out.Append(record_ ? "[{" : "{");
  for (size_t i = 0; i < children_.size(); ++i) {
    out.Append(keys_[i]);
    children_[i].Write(column.child(i), row, out);
  }
  out.Append('}');
  if (record_) out.Append(']');
}

}  // namespace logquery::result
