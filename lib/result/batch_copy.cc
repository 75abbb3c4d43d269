// Copies column by column. The elements of lists may lie in any order and be shared; each is copied once.
#include "lib/result/batch_copy.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace logquery::result {
namespace {

// Stands for a row that is not there: what lies under a NULL is not to be read.
constexpr int64_t kMissing = -1;

// The rows of a column to copy, in the order of the copy.
using CopiedRows = std::vector<int64_t>;

bool IsText(TypeKind kind) {
  return kind == TypeKind::kString || kind == TypeKind::kBytes || kind == TypeKind::kJson ||
         kind == TypeKind::kBigNumeric;
}

bool HasFields(const Type& type) { return type.is_struct() || type.is_record(); }

// The size of one row's value in the table of batch.h, without the texts and elements that it points to.
size_t FixedBytes(const Type& type) {
  if (HasFields(type)) return 0;
  switch (type.kind()) {
    case TypeKind::kBool:
      return sizeof(uint8_t);
    case TypeKind::kDate:
      return sizeof(int32_t);
    case TypeKind::kNumeric:
      return sizeof(Int128);
    case TypeKind::kInterval:
      return sizeof(PackedInterval);
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kJson:
    case TypeKind::kBigNumeric:
      return sizeof(StringRef);
    case TypeKind::kArray:
      return sizeof(ListSlice);
    default:
      return sizeof(int64_t);
  }
}

class CopiedColumn {
 public:
  CopiedColumn(const ColumnView& column, const CopiedRows& rows) : type_(column.type()), scale_(column.scale()) {
    MarkValid(column, rows);
    if (HasFields(type_)) {
      CopyFields(column, rows);
    } else if (type_.is_array()) {
      CopyLists(column, rows);
    } else if (IsText(type_.kind())) {
      CopyTexts(column, rows);
    } else {
      CopyFixed(column, rows);
    }
  }
  CopiedColumn(const CopiedColumn&) = delete;
  CopiedColumn& operator=(const CopiedColumn&) = delete;

  ColumnView view() const {
    return ColumnView(&type_, validity_.empty() ? nullptr : validity_.data(), data_.get(), child_views_.data(), scale_);
  }

  size_t bytes() const {
    size_t sum = bytes_ + validity_.size() * sizeof(uint64_t);
    for (const CopiedColumn& child : children_) sum += child.bytes();
    return sum;
  }

 private:
  static bool IsThere(const ColumnView& column, int64_t row) { return row != kMissing && !column.IsNull(row); }

  void MarkValid(const ColumnView& column, const CopiedRows& rows) {
    const auto is_there = [&](int64_t row) { return IsThere(column, row); };
    if (std::all_of(rows.begin(), rows.end(), is_there)) return;
    validity_.resize(rows.size() / 64 + 1);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (is_there(rows[i])) validity_[i / 64] |= uint64_t{1} << (i % 64);
    }
  }

  template <typename T>
  T* Allocate(size_t rows) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    bytes_ += rows * sizeof(T);
    data_ = std::make_unique<std::byte[]>(rows * sizeof(T));
    return reinterpret_cast<T*>(data_.get());
  }

  template <typename T, typename Read>
  void CopyValues(const ColumnView& column, const CopiedRows& rows, const Read& read) {
    T* const values = Allocate<T>(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      if (IsThere(column, rows[i])) values[i] = read(rows[i]);
    }
  }

  void CopyFixed(const ColumnView& column, const CopiedRows& rows) {
    switch (type_.kind()) {
      case TypeKind::kBool:
        return CopyValues<uint8_t>(column, rows, [&](int64_t row) { return column.BoolAt(row) ? 1 : 0; });
      case TypeKind::kDate:
        return CopyValues<int32_t>(column, rows, [&](int64_t row) { return column.Int32At(row); });
      case TypeKind::kFloat64:
        return CopyValues<double>(column, rows, [&](int64_t row) { return column.Float64At(row); });
      case TypeKind::kNumeric:
        return CopyValues<Int128>(column, rows, [&](int64_t row) { return column.Int128At(row); });
      case TypeKind::kInterval:
        return CopyValues<PackedInterval>(column, rows, [&](int64_t row) { return column.IntervalAt(row); });
      default:
        return CopyValues<int64_t>(column, rows, [&](int64_t row) { return column.Int64At(row); });
    }
  }

  void CopyTexts(const ColumnView& column, const CopiedRows& rows) {
    size_t length = 0;
    for (const int64_t row : rows) {
      if (IsThere(column, row)) length += column.StringAt(row).size();
    }
    texts_ = std::make_unique<char[]>(length);
    bytes_ += length;
    char* end = texts_.get();
    CopyValues<StringRef>(column, rows, [&](int64_t row) {
      const std::string_view text = column.StringAt(row);
      end = std::copy(text.begin(), text.end(), end);
      return StringRef(std::string_view(end - text.size(), text.size()));
    });
  }

  void CopyLists(const ColumnView& column, const CopiedRows& rows) {
    CopiedRows elements;
    for (const int64_t row : rows) {
      if (!IsThere(column, row)) continue;
      const ListSlice slice = column.ListAt(row);
      for (uint64_t i = 0; i < slice.length; ++i) elements.push_back(static_cast<int64_t>(slice.offset + i));
    }
    if (!std::is_sorted(elements.begin(), elements.end())) std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    CopyValues<ListSlice>(column, rows, [&](int64_t row) {
      ListSlice slice = column.ListAt(row);
      // All elements of a slice follow each other among the copied ones.
      const auto first = std::lower_bound(elements.begin(), elements.end(), static_cast<int64_t>(slice.offset));
      slice.offset = slice.length == 0 ? 0 : static_cast<uint64_t>(first - elements.begin());
      return slice;
    });
    AddChild(column.child(0), elements);
  }

  void CopyFields(const ColumnView& column, const CopiedRows& rows) {
    CopiedRows present = rows;
    for (int64_t& row : present) {
      if (!IsThere(column, row)) row = kMissing;
    }
    for (size_t i = 0; i < type_.fields().size(); ++i) AddChild(column.child(i), present);
  }

  void AddChild(const ColumnView& column, const CopiedRows& rows) {
    child_views_.push_back(children_.emplace_back(column, rows).view());
  }

  const Type type_;
  const int scale_;
  size_t bytes_ = 0;  // of `data_` and `texts_`
  std::vector<uint64_t> validity_;
  std::unique_ptr<std::byte[]> data_;
  std::unique_ptr<char[]> texts_;
  std::deque<CopiedColumn> children_;
  std::vector<ColumnView> child_views_;
};

size_t ValueBytes(const ColumnView& column, int64_t row, size_t limit) {
  const Type& type = column.type();
  size_t sum = FixedBytes(type);
  if (column.IsNull(row) || sum >= limit) return sum;
  if (IsText(type.kind())) return sum + column.StringAt(row).size();
  if (HasFields(type)) {
    for (size_t i = 0; i < type.fields().size() && sum < limit; ++i) {
      sum += ValueBytes(column.child(i), row, limit - sum);
    }
  } else if (type.is_array()) {
    const ListSlice slice = column.ListAt(row);
    for (uint64_t i = 0; i < slice.length && sum < limit; ++i) {
      // A STRUCT without fields takes no memory.
      sum += std::max<size_t>(ValueBytes(column.child(0), static_cast<int64_t>(slice.offset + i), limit - sum), 1);
    }
  }
  return sum;
}

}  // namespace

struct OwnedBatch::Storage {
  std::deque<CopiedColumn> columns;
  std::vector<ColumnView> views;
  int64_t rows = 0;
};

OwnedBatch::OwnedBatch(const Batch& batch, int64_t begin, int64_t end) : storage_(std::make_unique<Storage>()) {
  CopiedRows rows(static_cast<size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  storage_->rows = end - begin;
  for (size_t i = 0; i < batch.column_count(); ++i) {
    storage_->views.push_back(storage_->columns.emplace_back(batch.column(i), rows).view());
  }
}

OwnedBatch::~OwnedBatch() = default;
OwnedBatch::OwnedBatch(OwnedBatch&&) noexcept = default;
OwnedBatch& OwnedBatch::operator=(OwnedBatch&&) noexcept = default;

Batch OwnedBatch::batch() const { return Batch(storage_->views.data(), storage_->views.size(), storage_->rows); }

size_t OwnedBatch::bytes() const {
  size_t sum = 0;
  for (const CopiedColumn& column : storage_->columns) sum += column.bytes();
  return sum;
}

size_t CopiedBytes(const Batch& batch, int64_t row, size_t limit) {
  size_t sum = 0;
  for (size_t i = 0; i < batch.column_count() && sum < limit; ++i) {
    sum += ValueBytes(batch.column(i), row, limit - sum);
  }
  return sum;
}

}  // namespace logquery::result
