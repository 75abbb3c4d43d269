// One writer for columns of every type, row by row; records and arrays are written part by part.
#include "lib/engines/duckdb/backend/source/vector_writer.h"

#include <cstring>
#include <string>
#include <vector>

#include "absl/numeric/int128.h"
#include "lib/base/json/write.h"
#include "lib/base/json_text.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/big_numeric.h"
#include "lib/model/calendar_range.h"
#include "lib/model/civil_text.h"
#include "lib/model/decimal_text.h"

namespace logquery::duckdb {
namespace {

// 0001-01-01 to 9999-12-31, as GoogleSQL's types have it.
constexpr size_t kBigNumericBytes = 32;

// For each written row, whether it belongs to a NULL record. The engine gets NULL for the fields of such a record,
// whatever they hold.
using Absent = std::vector<bool>;

class Writer {
 public:
  Writer(std::string_view place, WrittenFor purpose) : place_(place), for_file_(purpose == WrittenFor::kFile) {}

  // Rows [begin, begin + rows) of `from` to [at, …) of `to`. `absent` may be nullptr.
  absl::Status Write(const ColumnView& from, int64_t begin, int64_t rows, const Absent* absent, idx_t at,
                     duckdb_vector to) {
    bytes_ += rows * 16;
    for (int64_t i = 0; i < rows; ++i) {
      if (IsNull(from, begin, i, absent)) SetNull(to, at + static_cast<idx_t>(i));
    }
    const Type& type = from.type();
    if (type.is_struct() || type.is_record()) return WriteFields(from, begin, rows, absent, at, to);
    if (type.is_array()) return WriteElements(from, begin, rows, absent, at, to);
    for (int64_t i = 0; i < rows; ++i) {
      if (IsNull(from, begin, i, absent)) continue;
      LOGQUERY_RETURN_IF_ERROR(WriteValue(from, begin + i, at + static_cast<idx_t>(i), to));
    }
    return absl::OkStatus();
  }

  int64_t bytes() const { return bytes_; }

 private:
  static bool IsNull(const ColumnView& from, int64_t begin, int64_t i, const Absent* absent) {
    return (absent != nullptr && (*absent)[static_cast<size_t>(i)]) || from.IsNull(begin + i);
  }

  static void SetNull(duckdb_vector vector, idx_t row) {
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
  }

  absl::Status Wrong(std::string_view what) const {
    return absl::InternalError(base::StrCat("the source's column ", place_, " holds ", what));
  }

  absl::Status WriteFields(const ColumnView& from, int64_t begin, int64_t rows, const Absent* absent, idx_t at,
                           duckdb_vector to) {
    Absent none(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) none[static_cast<size_t>(i)] = IsNull(from, begin, i, absent);
    for (size_t field = 0; field < from.type().fields().size(); ++field) {
      LOGQUERY_RETURN_IF_ERROR(
          Write(from.child(field), begin, rows, &none, at, duckdb_struct_vector_get_child(to, field)));
    }
    return absl::OkStatus();
  }

  absl::Status WriteElements(const ColumnView& from, int64_t begin, int64_t rows, const Absent* absent, idx_t at,
                             duckdb_vector to) {
    for (int64_t i = 0; i < rows; ++i) {
      const bool null = IsNull(from, begin, i, absent);
      const ListSlice slice = null ? ListSlice{} : from.ListAt(begin + i);
      const idx_t size = duckdb_list_vector_get_size(to);
      if (duckdb_list_vector_reserve(to, size + slice.length) != DuckDBSuccess ||
          duckdb_list_vector_set_size(to, size + slice.length) != DuckDBSuccess) {
        return absl::InternalError("DuckDB takes no more elements");
      }
      Put(to, at + static_cast<idx_t>(i), duckdb_list_entry{size, slice.length});
      if (slice.length == 0) continue;
      LOGQUERY_RETURN_IF_ERROR(Write(from.child(0), static_cast<int64_t>(slice.offset),
                                     static_cast<int64_t>(slice.length), nullptr, size,
                                     duckdb_list_vector_get_child(to)));
    }
    return absl::OkStatus();
  }

  template <typename T>
  static void Put(duckdb_vector to, idx_t at, const T& value) {
    static_cast<T*>(duckdb_vector_get_data(to))[at] = value;
  }

  absl::Status WriteValue(const ColumnView& from, int64_t row, idx_t at, duckdb_vector to) {
    switch (from.type().kind()) {
      case TypeKind::kBool:
        Put<uint8_t>(to, at, from.BoolAt(row) ? 1 : 0);
        return absl::OkStatus();
      case TypeKind::kInt64:
        Put(to, at, from.Int64At(row));
        return absl::OkStatus();
      case TypeKind::kFloat64:
        Put(to, at, from.Float64At(row));
        return absl::OkStatus();
      case TypeKind::kInterval:
        if (for_file_) return WriteIntervalText(from.IntervalAt(row), at, to);
        Put(to, at, from.IntervalAt(row));
        return absl::OkStatus();
      case TypeKind::kDate:
        return WriteDays(from.Int32At(row), at, to);
      case TypeKind::kTime:
      case TypeKind::kDatetime:
      case TypeKind::kTimestamp:
        return WriteMicros(from, row, at, to);
      case TypeKind::kNumeric:
        return WriteNumeric(from, row, at, to);
      default:
        return WriteText(from.type().kind(), from.StringAt(row), at, to);
    }
  }

  absl::Status WriteDays(int32_t days, idx_t at, duckdb_vector to) {
    if (!model::IsDayInRange(days)) return Wrong("a day outside of the years 1 to 9999");
    Put(to, at, days);
    return absl::OkStatus();
  }

  absl::Status WriteMicros(const ColumnView& from, int64_t row, idx_t at, duckdb_vector to) {
    const int64_t micros = from.Int64At(row);
    const bool of_day = from.type().is(TypeKind::kTime);
    const bool is_in_range = of_day ? micros >= 0 && micros < model::kDayMicros : model::IsTimeInRange(micros);
    if (!is_in_range) {
      return Wrong(of_day ? "a time of day that is none" : "a time outside of the years 1 to 9999");
    }
    Put(to, at, micros);
    return absl::OkStatus();
  }

  absl::Status WriteNumeric(const ColumnView& from, int64_t row, idx_t at, duckdb_vector to) {
    if (from.scale() != model::kNumericScale) {
      return Wrong(base::StrCat("NUMERIC with ", from.scale(), " digits after the point, which has to have ",
                                model::kNumericScale));
    }
    static const absl::int128 end_of_range =
        absl::int128(10'000'000'000'000'000'000ULL) * 10'000'000'000'000'000'000ULL;
    const Int128 value = from.Int128At(row);
    const absl::int128 scaled = absl::MakeInt128(value.upper, value.lower);
    if (scaled >= end_of_range || scaled <= -end_of_range) return Wrong("a NUMERIC of more than 38 digits");
    Put(to, at, value);
    return absl::OkStatus();
  }

  absl::Status WriteIntervalText(const PackedInterval& packed, idx_t at, duckdb_vector to) {
    std::string text;
    model::AppendInterval({packed.months, packed.days, packed.micros}, text);
    return Assign(text, at, to);
  }

  absl::Status WriteText(TypeKind kind, std::string_view text, idx_t at, duckdb_vector to) {
    std::string mended;
    if (kind == TypeKind::kBigNumeric && text.size() != kBigNumericBytes) {
      return Wrong(base::StrCat("a BIGNUMERIC of ", base::Counted(text.size(), "byte"), ", which has to have ",
                                kBigNumericBytes));
    }
    if (kind == TypeKind::kBigNumeric && for_file_) {
      mended = model::BigNumericText(text);
      text = mended;
    }
    if (kind == TypeKind::kString && !base::IsValidUtf8(text)) {
      base::AppendValidUtf8(text, mended);
      text = mended;
    }
    if (kind == TypeKind::kJson) {
      if (!base::AppendCompactJson(text, nullptr, mended)) {
        if (!for_file_) return Wrong("text that is no JSON");
        base::AppendJsonString(text, mended);
      }
      text = mended;
    }
    return Assign(text, at, to);
  }

  absl::Status Assign(std::string_view text, idx_t at, duckdb_vector to) {
    bytes_ += static_cast<int64_t>(text.size());
    duckdb_vector_assign_string_element_len(to, at, text.data(), text.size());
    return absl::OkStatus();
  }

  const std::string_view place_;
  const bool for_file_;
  int64_t bytes_ = 0;
};

size_t WidthOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBool:
      return sizeof(uint8_t);
    case TypeKind::kDate:
      return sizeof(int32_t);
    case TypeKind::kInt64:
    case TypeKind::kFloat64:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return sizeof(int64_t);
    default:
      return sizeof(duckdb_string_t);  // texts, and what takes as much: NUMERIC and INTERVAL
  }
}
static_assert(sizeof(duckdb_string_t) == sizeof(Int128) && sizeof(Int128) == sizeof(PackedInterval));

}  // namespace

absl::StatusOr<int64_t> WriteRows(const ColumnView& from, int64_t begin, int64_t rows, std::string_view place,
                                  int64_t at, duckdb_vector to, WrittenFor purpose) {
  Writer writer(place, purpose);
  LOGQUERY_RETURN_IF_ERROR(writer.Write(from, begin, rows, nullptr, static_cast<idx_t>(at), to));
  return writer.bytes();
}

void RepeatRow(const Type& type, int64_t at, int64_t times, duckdb_vector vector) {
  const auto first = static_cast<idx_t>(at);
  const idx_t end = first + static_cast<idx_t>(times);
  uint64_t* const validity = duckdb_vector_get_validity(vector);
  if (validity != nullptr && !duckdb_validity_row_is_valid(validity, first)) {
    for (idx_t row = first + 1; row < end; ++row) duckdb_validity_set_row_invalid(validity, row);
    return;
  }
  // A text of more than 12 bytes is the vector's, whichever of its rows points to it.
  auto* const data = static_cast<char*>(duckdb_vector_get_data(vector));
  const size_t width = WidthOf(type.kind());
  for (idx_t row = first + 1; row < end; ++row) std::memcpy(data + row * width, data + first * width, width);
}

}  // namespace logquery::duckdb
