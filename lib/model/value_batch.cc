// ValueBatch: stores rows of values as columns.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "lib/base/readable_text.h"
#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"
#include "logquery/batch.h"

namespace logquery {
namespace {

using base::StrCat;

// One column and those below it. Memory that views point into never moves once it is made.
class OwnedColumn {
 public:
  // `values` are borrowed for the call; nullptr stands for NULL.
  OwnedColumn(const Type& type, const std::vector<const Value*>& values) : type_(type) {
    MarkValid(values);
    FillFrom(values);
  }

  ColumnView view() const { return ColumnView(&type_, validity_.data(), data_.get(), child_views_.data(), scale_); }

 private:
  void FillFrom(const std::vector<const Value*>& values) {
    switch (type_.kind()) {
      case TypeKind::kBool:
        return Fill<uint8_t>(values, [](const Value& v) { return v.bool_value() ? 1 : 0; });
      case TypeKind::kInt64:
      case TypeKind::kTime:
      case TypeKind::kDatetime:
      case TypeKind::kTimestamp:
        return Fill<int64_t>(values, [](const Value& v) { return v.int64_value(); });
      case TypeKind::kDate:
        return Fill<int32_t>(values, [](const Value& v) { return static_cast<int32_t>(v.int64_value()); });
      case TypeKind::kFloat64:
        return Fill<double>(values, [](const Value& v) { return v.float64_value(); });
      case TypeKind::kNumeric:
        return FillNumerics(values);
      case TypeKind::kBigNumeric:
        return Fill<StringRef>(values, [this](const Value& v) { return StringRef(Keep(BigNumericBytes(v))); });
      case TypeKind::kString:
      case TypeKind::kBytes:
      case TypeKind::kJson:
        return Fill<StringRef>(values, [this](const Value& v) { return StringRef(Keep(v.string_value())); });
      case TypeKind::kInterval:
        return Fill<PackedInterval>(values, Pack);
      case TypeKind::kArray:
        return type_.is_record() ? FillFields(values) : FillElements(values);
      case TypeKind::kStruct:
        return FillFields(values);
    }
  }

  void MarkValid(const std::vector<const Value*>& values) {
    validity_.resize(values.size() / 64 + 1);
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] != nullptr && !values[i]->is_null()) validity_[i / 64] |= uint64_t{1} << (i % 64);
    }
  }

  bool IsValid(size_t row) const { return (validity_[row / 64] >> (row % 64) & 1) != 0; }

  template <typename T, typename Convert>
  void Fill(const std::vector<const Value*>& values, const Convert& convert) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    data_ = std::make_unique<std::byte[]>(values.size() * sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
      if (!IsValid(i)) continue;
      const T element = convert(*values[i]);
      std::memcpy(data_.get() + i * sizeof(T), &element, sizeof(T));
    }
  }

  std::string_view Keep(const std::string& text) { return strings_.emplace_back(text); }

  static PackedInterval Pack(const Value& value) {
    const Interval& interval = value.interval_value();
    return {static_cast<int32_t>(interval.months), static_cast<int32_t>(interval.days), interval.micros};
  }

  static std::string BigNumericBytes(const Value& value) {
    const auto bytes = model::ParseBigNumeric(value.string_value(), model::ExtraDigits::kRefused);
    assert(bytes.has_value() && "digits of a BIGNUMERIC that are none, or too many");
    return bytes.has_value() ? *bytes : *model::PackBigNumeric(0);
  }

  void FillNumerics(const std::vector<const Value*>& values) {
    scale_ = model::kNumericScale;
    Fill<Int128>(values, [this](const Value& value) {
      const auto number = model::ParseDecimal(value.string_value(), scale_);
      assert(number.has_value() && "digits of a NUMERIC that are none, or too many");
      return number.value_or(Int128());
    });
  }

  void FillElements(const std::vector<const Value*>& values) {
    std::vector<const Value*> elements;
    Fill<ListSlice>(values, [&elements](const Value& value) {
      const ListSlice slice{elements.size(), value.children().size()};
      for (const Value& element : value.children()) elements.push_back(&element);
      return slice;
    });
    AddChild(type_.element(), elements);
  }

  void FillFields(const std::vector<const Value*>& values) {
    for (size_t field = 0; field < type_.fields().size(); ++field) {
      std::vector<const Value*> column(values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        if (IsValid(i)) column[i] = &values[i]->children()[field];
      }
      AddChild(type_.fields()[field].type, column);
    }
  }

  void AddChild(const Type& type, const std::vector<const Value*>& values) {
    child_views_.push_back(children_.emplace_back(type, values).view());
  }

  Type type_;
  std::vector<uint64_t> validity_;
  std::unique_ptr<std::byte[]> data_;
  std::deque<std::string> strings_;
  std::deque<OwnedColumn> children_;
  std::vector<ColumnView> child_views_;
  int scale_ = 0;
};

// A row of another shape is a defect of the program that made it: there is nothing to go on with.
void CheckRows(const Schema& schema, const std::vector<std::vector<Value>>& rows) {
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].size() != schema.size()) {
      throw std::invalid_argument(StrCat("row ", row, " has ", base::Counted(rows[row].size(), "value"), " for ",
                                         base::Counted(schema.size(), "column")));
    }
    for (size_t column = 0; column < schema.size(); ++column) {
      const Value& value = rows[row][column];
      if (value.is_null() || value.type().is(schema[column].type.kind())) continue;
      throw std::invalid_argument(StrCat("row ", row, ": the value of ", schema[column].name, " is ",
                                         value.type().ToString(), ", the column ", schema[column].type.ToString()));
    }
  }
}

}  // namespace

struct ValueBatch::Storage {
  std::deque<OwnedColumn> columns;
  std::vector<ColumnView> views;
  int64_t rows = 0;
};

ValueBatch::ValueBatch(const Schema& schema, const std::vector<std::vector<Value>>& rows)
    : storage_(std::make_unique<Storage>()) {
  CheckRows(schema, rows);
  storage_->rows = static_cast<int64_t>(rows.size());
  for (size_t column = 0; column < schema.size(); ++column) {
    std::vector<const Value*> values;
    values.reserve(rows.size());
    for (const std::vector<Value>& row : rows) values.push_back(&row[column]);
    storage_->views.push_back(storage_->columns.emplace_back(schema[column].type, values).view());
  }
}

ValueBatch::~ValueBatch() = default;
ValueBatch::ValueBatch(ValueBatch&&) noexcept = default;
ValueBatch& ValueBatch::operator=(ValueBatch&&) noexcept = default;

Batch ValueBatch::batch() const { return Batch(storage_->views.data(), storage_->views.size(), storage_->rows); }

}  // namespace logquery
