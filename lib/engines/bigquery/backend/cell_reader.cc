// Scalars of all types are text; a RECORD is {"f": [cell, …]}, and a repeated field is a list of cells.
#include "lib/engines/bigquery/backend/cell_reader.h"

#include <charconv>
#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"
#include "lib/model/time_text.h"

namespace logquery::bigquery {
namespace {

using backend::ColumnBuilder;
using backend::TextBlocks;
using base::Json;
using base::StrCat;

absl::Status Wrong(const WireField& field, std::string_view problem) {
  return absl::InternalError(StrCat("BigQuery's answer has in ", field.name, " (", field.type, ") ", problem));
}

template <typename T>
bool ParseWhole(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

bool ParseFloat(std::string_view text, double* out) {
  if (text == "Infinity") text = "inf";
  if (text == "-Infinity") text = "-inf";
  return ParseWhole(text, out);
}

// A date or time by the parser of its type, as the number that a batch holds.
bool AppendCivil(const Type& type, std::string_view text, ColumnBuilder& column) {
  const absl::StatusOr<Value> value = type.is(TypeKind::kDate)   ? model::ParseDateText(text)
                                      : type.is(TypeKind::kTime) ? model::ParseTimeText(text)
                                                                 : model::ParseDatetimeText(text);
  if (!value.ok()) return false;
  if (type.is(TypeKind::kDate)) {
    column.Append(static_cast<int32_t>(value->int64_value()));
  } else {
    column.Append(value->int64_value());
  }
  return true;
}

bool AppendNumber(const Type& type, std::string_view text, ColumnBuilder& column) {
  int64_t whole = 0;
  double real = 0;
  if (type.is(TypeKind::kFloat64)) return ParseFloat(text, &real) ? (column.Append(real), true) : false;
  return ParseWhole(text, &whole) ? (column.Append(whole), true) : false;
}

// False: the text is not of the type.
bool AppendText(const Type& type, std::string_view text, ColumnBuilder& column, TextBlocks& texts) {
  switch (type.kind()) {
    case TypeKind::kBool:
      if (text != "true" && text != "false") return false;
      column.Append<uint8_t>(text == "true" ? 1 : 0);
      return true;
    case TypeKind::kInt64:
    case TypeKind::kFloat64:
    case TypeKind::kTimestamp:
      return AppendNumber(type, text, column);
    case TypeKind::kNumeric: {
      const std::optional<Int128> number = model::ParseDecimal(text, model::kNumericScale);
      if (number.has_value()) column.Append(*number);
      return number.has_value();
    }
    case TypeKind::kBigNumeric: {
      const std::optional<std::string> bytes = model::ParseBigNumeric(text, model::ExtraDigits::kRefused);
      if (bytes.has_value()) column.Append(StringRef(texts.Copy(*bytes)));
      return bytes.has_value();
    }
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
      return AppendCivil(type, text, column);
    case TypeKind::kBytes: {
      std::string bytes;
      if (!absl::Base64Unescape(base::ToAbsl(text), &bytes)) return false;
      column.Append(StringRef(texts.Copy(bytes)));
      return true;
    }
    case TypeKind::kString:
    case TypeKind::kJson:
      column.Append(StringRef(texts.Copy(text)));
      return true;
    default:
      return false;
  }
}

// The fields of a record or STRUCT whose row has been added.
absl::Status AppendFields(const WireField& field, const Json& value, ColumnBuilder& column, TextBlocks& texts) {
  const auto cells = value.is_object() ? value.find("f") : value.end();
  if (cells == value.end() || !cells->is_array() || cells->size() != field.fields.size()) {
    return Wrong(field, "a record that does not have the fields of its schema");
  }
  column.AppendPresent();
  const Schema& ours = column.type().fields();
  for (size_t i = 0; i < ours.size(); ++i) {
    const auto at = static_cast<size_t>(FindWireField(field.fields, ours[i].name));
    LOGQUERY_RETURN_IF_ERROR(AppendCell(field.fields[at], (*cells)[at], column.child(i), texts));
  }
  return absl::OkStatus();
}

absl::Status AppendValue(const WireField& field, const Json& value, ColumnBuilder& column, TextBlocks& texts) {
  if (value.is_null()) {
    column.AppendNull();
    return absl::OkStatus();
  }
  if (column.type().is_struct()) return AppendFields(field, value, column, texts);
  if (!value.is_string()) return Wrong(field, "a value that is no text");
  if (AppendText(column.type(), value.text(), column, texts)) return absl::OkStatus();
  return Wrong(field, StrCat("a value that is no ", column.type().ToString()));
}

// Returns the value in {"v": …}; nullptr: the JSON is not of that form.
const Json* ValueIn(const Json& cell) {
  if (!cell.is_object()) return nullptr;
  const auto found = cell.find("v");
  return found == cell.end() ? nullptr : &*found;
}

absl::Status AppendRecord(const WireField& field, const Json& list, ColumnBuilder& column, TextBlocks& texts) {
  if (list.empty()) {
    column.AppendNull();
    return absl::OkStatus();
  }
  if (list.size() > 1) {
    return Wrong(field, StrCat(list.size(), " records in one row, which the schema declares as one record"));
  }
  const Json* const value = ValueIn(list.front());
  if (value == nullptr) return Wrong(field, "a list whose elements are no cells");
  if (!value->is_null()) return AppendFields(field, *value, column, texts);
  column.AppendNull();
  return absl::OkStatus();
}

}  // namespace

absl::Status AppendCell(const WireField& field, const Json& cell, ColumnBuilder& column, TextBlocks& texts) {
  const Json* const value = ValueIn(cell);
  if (value == nullptr) return Wrong(field, "something that is no cell");
  if (!field.repeated) return AppendValue(field, *value, column, texts);
  if (!value->is_array()) return Wrong(field, "a value that is no list");
  if (column.type().is_record()) return AppendRecord(field, *value, column, texts);
  ColumnBuilder& elements = column.child(0);
  const auto begin = static_cast<uint64_t>(elements.rows());
  for (const Json& element : *value) {
    const Json* const inner = ValueIn(element);
    if (inner == nullptr) return Wrong(field, "a list whose elements are no cells");
    LOGQUERY_RETURN_IF_ERROR(AppendValue(field, *inner, elements, texts));
  }
  column.Append(ListSlice{begin, static_cast<uint64_t>(elements.rows()) - begin});
  return absl::OkStatus();
}

}  // namespace logquery::bigquery
