// Reads single values out of columns, for CollectingSink and other callers that need values.
#include "logquery/batch.h"

#include <string>
#include <utility>

#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"

namespace logquery {
namespace {

std::string DecimalText(const ColumnView& column, int64_t row) {
  std::string digits;
  model::AppendDecimal(column.Int128At(row), column.scale(), digits);
  return digits;
}

Value ArrayValue(const ColumnView& column, int64_t row) {
  const ListSlice slice = column.ListAt(row);
  std::vector<Value> elements;
  elements.reserve(slice.length);
  for (uint64_t i = 0; i < slice.length; ++i) {
    elements.push_back(column.child(0).ValueAt(static_cast<int64_t>(slice.offset + i)));
  }
  return Value::Array(column.type().element(), std::move(elements));
}

Value StructValue(const ColumnView& column, int64_t row) {
  std::vector<Value> fields;
  fields.reserve(column.type().fields().size());
  for (size_t i = 0; i < column.type().fields().size(); ++i) fields.push_back(column.child(i).ValueAt(row));
  return Value::Struct(column.type(), std::move(fields));
}

}  // namespace

StringRef::StringRef(std::string_view text) : length(static_cast<uint32_t>(text.size())) {
  if (text.size() <= sizeof(bytes)) {
    if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
    return;
  }
  const char* const pointer = text.data();
  std::memcpy(bytes, pointer, 4);
  std::memcpy(bytes + 4, &pointer, sizeof(pointer));
}

Value ColumnView::ValueAt(int64_t row) const {
  if (IsNull(row)) return Value::Null(type());
  switch (type().kind()) {
    case TypeKind::kBool:
      return Value::Bool(BoolAt(row));
    case TypeKind::kInt64:
      return Value::Int64(Int64At(row));
    case TypeKind::kFloat64:
      return Value::Float64(Float64At(row));
    case TypeKind::kNumeric:
      return Value::Numeric(DecimalText(*this, row));
    case TypeKind::kBigNumeric:
      return Value::BigNumeric(model::BigNumericText(StringAt(row)));
    case TypeKind::kString:
      return Value::String(std::string(StringAt(row)));
    case TypeKind::kBytes:
      return Value::Bytes(std::string(StringAt(row)));
    case TypeKind::kJson:
      return Value::Json(std::string(StringAt(row)));
    case TypeKind::kDate:
      return Value::Date(Int32At(row));
    case TypeKind::kTime:
      return Value::Time(Int64At(row));
    case TypeKind::kDatetime:
      return Value::Datetime(Int64At(row));
    case TypeKind::kTimestamp:
      return Value::TimestampMicros(Int64At(row));
    case TypeKind::kInterval: {
      const PackedInterval packed = IntervalAt(row);
      return Value::IntervalOf({packed.months, packed.days, packed.micros});
    }
    case TypeKind::kArray:
      return type().is_record() ? StructValue(*this, row) : ArrayValue(*this, row);
    case TypeKind::kStruct:
      return StructValue(*this, row);
  }
  return Value::Null(type());
}

absl::Status CollectingSink::Append(const Batch& batch) {
  for (int64_t row = 0; row < batch.rows(); ++row) {
    std::vector<Value>& values = rows_.emplace_back();
    values.reserve(batch.column_count());
    for (size_t i = 0; i < batch.column_count(); ++i) values.push_back(batch.column(i).ValueAt(row));
  }
  return absl::OkStatus();
}

}  // namespace logquery
