// Copies columns into Arrow's layout, and hands each array's memory to its release callback.
#include "logquery/arrow.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/big_numeric.h"
#include "lib/result/arrow_rows.h"
#include "lib/result/arrow_schema.h"

namespace logquery {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kDecimal256Bytes = 32;
// Stands for a row that is not there: what lies under a NULL is not to be read.
constexpr int64_t kNoRow = -1;
constexpr int64_t kNanosPerMicro = 1'000;

using ArrowRows = std::vector<int64_t>;

struct FreeAligned {
  void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t(kAlignment)); }
};
using Buffer = std::unique_ptr<std::byte[], FreeAligned>;

struct MonthDayNano {
  int32_t months;
  int32_t days;
  int64_t nanos;
};
static_assert(sizeof(MonthDayNano) == 16);

// Releases an array, unless a consumer has moved it elsewhere.
struct ReleaseUnlessMoved {
  void operator()(ArrowArray* array) const {
    if (array->release != nullptr) array->release(array);
    delete array;
  }
};
using ArrayPtr = std::unique_ptr<ArrowArray, ReleaseUnlessMoved>;

// The memory that an exported array owns.
struct Owned {
  std::vector<Buffer> buffers;
  std::vector<const void*> buffer_pointers;
  std::vector<ArrayPtr> children;
  std::vector<ArrowArray*> child_pointers;
};

void ReleaseArray(ArrowArray* array) {
  delete static_cast<Owned*>(array->private_data);
  array->release = nullptr;
}

bool IsPresent(const ColumnView& column, int64_t row) { return row != kNoRow && !column.IsNull(row); }

// Exports the columns of one batch, and counts their memory.
class Exporter {
 public:
  explicit Exporter(int64_t max_bytes) : max_bytes_(max_bytes) {}

  // The rows `begin` to `end` - 1 as structs.
  absl::StatusOr<ArrayPtr> Export(const Batch& batch, int64_t begin, int64_t end) {
    ArrowRows rows(static_cast<size_t>(end - begin));
    std::iota(rows.begin(), rows.end(), begin);
    auto owned = std::make_unique<Owned>();
    owned->buffer_pointers.push_back(nullptr);
    for (size_t i = 0; i < batch.column_count(); ++i) {
      LOGQUERY_RETURN_IF_ERROR(AddChild(batch.column(i), batch.column(i).type(), rows, *owned));
    }
    return Finish(rows.size(), 0, std::move(owned));
  }

 private:
  // `type` is the column's, or the STRUCT that a record's column has the fields of.
  absl::StatusOr<ArrayPtr> ExportColumn(const ColumnView& column, const Type& type, const ArrowRows& rows) {
    auto owned = std::make_unique<Owned>();
    int64_t nulls = 0;
    // A record that is not there is a list without elements.
    if (type.is_record()) {
      owned->buffer_pointers.push_back(nullptr);
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(nulls, AddValidity(column, rows, *owned));
    }
    LOGQUERY_RETURN_IF_ERROR(AddContent(column, type, rows, *owned));
    return Finish(rows.size(), nulls, std::move(owned));
  }

  absl::Status AddContent(const ColumnView& column, const Type& type, const ArrowRows& rows, Owned& owned) {
    switch (type.kind()) {
      case TypeKind::kBool:
        return AddBits(column, rows, owned);
      case TypeKind::kInt64:
      case TypeKind::kTime:
      case TypeKind::kDatetime:
      case TypeKind::kTimestamp:
        return AddValues<int64_t>(column, rows, owned, [&](int64_t row) { return column.Int64At(row); });
      case TypeKind::kFloat64:
        return AddValues<double>(column, rows, owned, [&](int64_t row) { return column.Float64At(row); });
      case TypeKind::kDate:
        return AddValues<int32_t>(column, rows, owned, [&](int64_t row) { return column.Int32At(row); });
      case TypeKind::kNumeric:
        return AddValues<Int128>(column, rows, owned, [&](int64_t row) { return column.Int128At(row); });
      case TypeKind::kBigNumeric:
        return AddBigNumerics(column, rows, owned);
      case TypeKind::kInterval:
        return AddIntervals(column, rows, owned);
      case TypeKind::kString:
      case TypeKind::kJson:
        return AddTexts(column, rows, /*is_utf8=*/true, owned);
      case TypeKind::kBytes:
        return AddTexts(column, rows, /*is_utf8=*/false, owned);
      case TypeKind::kArray:
        return AddList(column, type, rows, owned);
      case TypeKind::kStruct:
        return AddFields(column, type, rows, owned);
    }
    return absl::InternalError("a column of an unknown type");
  }

  // Memory of zeros, which the array owns.
  absl::StatusOr<std::byte*> Allocate(size_t bytes, Owned& owned) {
    const size_t padded = std::max(bytes + kAlignment - 1, kAlignment) / kAlignment * kAlignment;
    LOGQUERY_RETURN_IF_ERROR(Charge(padded));
    Buffer& buffer =
        owned.buffers.emplace_back(static_cast<std::byte*>(::operator new[](padded, std::align_val_t(kAlignment))));
    std::memset(buffer.get(), 0, padded);
    owned.buffer_pointers.push_back(buffer.get());
    return buffer.get();
  }

  // As long as all of it is below the limit, so is every offset, which has 32 bits.
  absl::Status Charge(size_t bytes) {
    static_assert(kMaxArrowBytes <= std::numeric_limits<int32_t>::max());
    spent_ += bytes;
    if (spent_ <= static_cast<size_t>(max_bytes_)) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        base::StrCat("the batch takes more than ", max_bytes_, " bytes as Arrow arrays; export fewer rows at a time"));
  }

  absl::StatusOr<int64_t> AddValidity(const ColumnView& column, const ArrowRows& rows, Owned& owned) {
    const auto nulls = std::count_if(rows.begin(), rows.end(), [&](int64_t row) { return !IsPresent(column, row); });
    if (nulls == 0) {
      owned.buffer_pointers.push_back(nullptr);
      return 0;
    }
    LOGQUERY_ASSIGN_OR_RETURN(std::byte* const bits, Allocate((rows.size() + 7) / 8, owned));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (IsPresent(column, rows[i])) bits[i / 8] |= std::byte{1} << (i % 8);
    }
    return nulls;
  }

  absl::Status AddBits(const ColumnView& column, const ArrowRows& rows, Owned& owned) {
    LOGQUERY_ASSIGN_OR_RETURN(std::byte* const bits, Allocate((rows.size() + 7) / 8, owned));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (IsPresent(column, rows[i]) && column.BoolAt(rows[i])) bits[i / 8] |= std::byte{1} << (i % 8);
    }
    return absl::OkStatus();
  }

  template <typename T, typename Read>
  absl::Status AddValues(const ColumnView& column, const ArrowRows& rows, Owned& owned, const Read& read) {
    LOGQUERY_ASSIGN_OR_RETURN(std::byte* const memory, Allocate(rows.size() * sizeof(T), owned));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!IsPresent(column, rows[i])) continue;
      const T value = read(rows[i]);
      std::memcpy(memory + i * sizeof(T), &value, sizeof(T));
    }
    return absl::OkStatus();
  }

  absl::Status AddBigNumerics(const ColumnView& column, const ArrowRows& rows, Owned& owned) {
    LOGQUERY_ASSIGN_OR_RETURN(std::byte* const memory, Allocate(rows.size() * kDecimal256Bytes, owned));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!IsPresent(column, rows[i])) continue;
      const std::string_view packed = column.StringAt(rows[i]);
      if (packed.size() != kDecimal256Bytes) return absl::InternalError("a BIGNUMERIC that has not 32 bytes");
      if (!FitsDecimal256(packed)) {
        return absl::OutOfRangeError(base::StrCat("the BIGNUMERIC ", model::BigNumericText(packed),
                                                  " has more than the 76 digits of Arrow's decimal256"));
      }
      // From big-endian with a flipped sign bit to little-endian.
      std::byte* const value = memory + i * kDecimal256Bytes;
      for (size_t n = 0; n < kDecimal256Bytes; ++n) value[n] = static_cast<std::byte>(packed[kDecimal256Bytes - 1 - n]);
      value[kDecimal256Bytes - 1] ^= std::byte{0x80};
    }
    return absl::OkStatus();
  }

  static bool FitsDecimal256(std::string_view packed) {
    static const std::string& limit = *new std::string(
        *model::ParseBigNumeric("100000000000000000000000000000000000000", model::ExtraDigits::kRefused));
    static const std::string& least = *new std::string(
        *model::ParseBigNumeric("-100000000000000000000000000000000000000", model::ExtraDigits::kRefused));
    return packed > least && packed < limit;
  }

  absl::Status AddIntervals(const ColumnView& column, const ArrowRows& rows, Owned& owned) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / kNanosPerMicro;
    for (const int64_t row : rows) {
      if (!IsPresent(column, row)) continue;
      const int64_t micros = column.IntervalAt(row).micros;
      if (micros > kMost || micros < -kMost) {
        return absl::OutOfRangeError(
            base::StrCat("an INTERVAL with a time of ", micros,
                         " microseconds exceeds 64 bits of nanoseconds, which Arrow has for it"));
      }
    }
    return AddValues<MonthDayNano>(column, rows, owned, [&](int64_t row) {
      const PackedInterval interval = column.IntervalAt(row);
      return MonthDayNano{interval.months, interval.days, interval.micros * kNanosPerMicro};
    });
  }

  absl::Status AddTexts(const ColumnView& column, const ArrowRows& rows, bool is_utf8, Owned& owned) {
    LOGQUERY_ASSIGN_OR_RETURN(std::byte* const offsets, Allocate((rows.size() + 1) * sizeof(int32_t), owned));
    std::string texts;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (IsPresent(column, rows[i])) {
        const std::string_view text = column.StringAt(rows[i]);
        const size_t before = texts.size();
        is_utf8 ? base::AppendValidUtf8(text, texts) : void(texts.append(text));
        LOGQUERY_RETURN_IF_ERROR(Charge(texts.size() - before));
      }
      SetOffset(offsets, i + 1, texts.size());
    }
    spent_ -= texts.size();  // Allocate counts them
    LOGQUERY_ASSIGN_OR_RETURN(std::byte* const memory, Allocate(texts.size(), owned));
    std::memcpy(memory, texts.data(), texts.size());
    return absl::OkStatus();
  }

  absl::Status AddList(const ColumnView& column, const Type& type, const ArrowRows& rows, Owned& owned) {
    LOGQUERY_ASSIGN_OR_RETURN(std::byte* const offsets, Allocate((rows.size() + 1) * sizeof(int32_t), owned));
    ArrowRows elements;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (IsPresent(column, rows[i])) LOGQUERY_RETURN_IF_ERROR(AddElements(column, type, rows[i], elements));
      SetOffset(offsets, i + 1, elements.size());
    }
    return AddChild(type.is_record() ? column : column.child(0), type.element(), elements, owned);
  }

  absl::Status AddElements(const ColumnView& column, const Type& type, int64_t row, ArrowRows& elements) {
    if (type.is_record()) {
      elements.push_back(row);
      return absl::OkStatus();
    }
    const ListSlice slice = column.ListAt(row);
    LOGQUERY_RETURN_IF_ERROR(
        Charge(slice.length > kMaxArrowBytes ? kMaxArrowBytes + 1 : slice.length * sizeof(int64_t)));
    for (uint64_t n = 0; n < slice.length; ++n) elements.push_back(static_cast<int64_t>(slice.offset + n));
    return absl::OkStatus();
  }

  absl::Status AddFields(const ColumnView& column, const Type& type, const ArrowRows& rows, Owned& owned) {
    ArrowRows present = rows;
    for (int64_t& row : present) {
      if (!IsPresent(column, row)) row = kNoRow;
    }
    for (size_t i = 0; i < type.fields().size(); ++i) {
      LOGQUERY_RETURN_IF_ERROR(AddChild(column.child(i), type.fields()[i].type, present, owned));
    }
    return absl::OkStatus();
  }

  static void SetOffset(std::byte* offsets, size_t i, size_t offset) {
    const auto number = static_cast<int32_t>(offset);
    std::memcpy(offsets + i * sizeof(number), &number, sizeof(number));
  }

  absl::Status AddChild(const ColumnView& column, const Type& type, const ArrowRows& rows, Owned& owned) {
    LOGQUERY_ASSIGN_OR_RETURN(ArrayPtr child, ExportColumn(column, type, rows));
    owned.child_pointers.push_back(child.get());
    owned.children.push_back(std::move(child));
    return absl::OkStatus();
  }

  static ArrayPtr Finish(size_t rows, int64_t nulls, std::unique_ptr<Owned> owned) {
    ArrayPtr array(new ArrowArray());
    array->length = static_cast<int64_t>(rows);
    array->null_count = nulls;
    array->n_buffers = static_cast<int64_t>(owned->buffer_pointers.size());
    array->buffers = owned->buffer_pointers.data();
    array->n_children = static_cast<int64_t>(owned->child_pointers.size());
    array->children = owned->child_pointers.empty() ? nullptr : owned->child_pointers.data();
    array->release = ReleaseArray;
    array->private_data = owned.release();
    return array;
  }

  const int64_t max_bytes_;
  size_t spent_ = 0;
};

absl::Status CheckColumns(const Batch& batch, const Schema& schema) {
  if (batch.column_count() != schema.size()) {
    return absl::InvalidArgumentError(base::StrCat("the batch has ", base::Counted(batch.column_count(), "column"),
                                                   ", and the schema ", schema.size()));
  }
  for (size_t i = 0; i < schema.size(); ++i) {
    if (Type::SameLayout(batch.column(i).type(), schema[i].type)) continue;
    return absl::InvalidArgumentError(base::StrCat("the batch's column ", i + 1, " is ",
                                                   batch.column(i).type().ToString(), ", and the schema's ",
                                                   schema[i].name, " is ", schema[i].type.ToString()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status result::ExportArrowRows(const Batch& batch, int64_t begin, int64_t end, int64_t max_bytes,
                                     ArrowArray& out) {
  out.release = nullptr;
  LOGQUERY_ASSIGN_OR_RETURN(const ArrayPtr rows, Exporter(max_bytes).Export(batch, begin, end));
  out = *rows;
  rows->release = nullptr;  // moved
  return absl::OkStatus();
}

absl::Status ExportArrow(const Batch& batch, const Schema& schema, ArrowSchema* out_schema, ArrowArray* out_rows) {
  if (out_schema != nullptr) out_schema->release = nullptr;
  if (out_rows != nullptr) out_rows->release = nullptr;
  LOGQUERY_RETURN_IF_ERROR(CheckColumns(batch, schema));
  if (out_rows != nullptr) {
    LOGQUERY_RETURN_IF_ERROR(result::ExportArrowRows(batch, 0, batch.rows(), kMaxArrowBytes, *out_rows));
  }
  if (out_schema != nullptr) result::ExportArrowSchema(schema, *out_schema);
  return absl::OkStatus();
}

}  // namespace logquery
