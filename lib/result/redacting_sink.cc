// Redacts column by column; copies pointers to strings only where a column has a match.
#include "lib/result/redacting_sink.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/json_text.h"

namespace logquery::result {
namespace {

// The rows of a column that are there: what lies under a NULL is not to be read.
using Rows = std::vector<int64_t>;

// Makes the redacted columns of one batch, and owns what they point to.
class BatchRedactor {
 public:
  explicit BatchRedactor(const Redactor& redactor) : redactor_(redactor) {}

  // The column with `rows` of it redacted; nothing when there is nothing to redact in it.
  std::optional<ColumnView> Redact(const ColumnView& column, const Rows& rows) {
    switch (column.type().kind()) {
      case TypeKind::kString:
      case TypeKind::kJson:
        return RedactStrings(column, rows);
      case TypeKind::kArray:
        return column.type().is_record() ? RedactFields(column, rows) : RedactElements(column, rows);
      case TypeKind::kStruct:
        return RedactFields(column, rows);
      default:
        return std::nullopt;
    }
  }

 private:
  static Rows Present(const ColumnView& column, const Rows& rows) {
    Rows present;
    present.reserve(rows.size());
    for (const int64_t row : rows) {
      if (!column.IsNull(row)) present.push_back(row);
    }
    return present;
  }

  // The text in place of `text`; nothing when that is to stay.
  std::optional<std::string> Replacement(std::string_view text, bool json) const {
    if (json) {
      std::string redacted;
      // The scanner can't tell from the text: an escape may hide a digit of the address.
      if (base::AppendCompactJson(text, &redactor_, redacted)) return redacted;
    }
    if (!redactor_.Matches(text)) return std::nullopt;
    return redactor_.Redact(text);
  }

  std::optional<ColumnView> RedactStrings(const ColumnView& column, const Rows& rows) {
    const bool json = column.type().is(TypeKind::kJson);
    std::vector<StringRef>* copy = nullptr;
    const Rows present = Present(column, rows);
    for (const int64_t row : present) {
      std::optional<std::string> replacement = Replacement(column.StringAt(row), json);
      if (!replacement.has_value()) continue;
      if (copy == nullptr) copy = &CopyRefs(column, present);
      (*copy)[static_cast<size_t>(row)] = StringRef(texts_.emplace_back(*std::move(replacement)));
    }
    return copy == nullptr ? std::nullopt : std::optional(column.WithData(copy->data()));
  }

  std::vector<StringRef>& CopyRefs(const ColumnView& column, const Rows& present) {
    std::vector<StringRef>& refs = refs_.emplace_back(static_cast<size_t>(present.back()) + 1);
    for (const int64_t row : present) refs[static_cast<size_t>(row)] = StringRef(column.StringAt(row));
    return refs;
  }

  std::optional<ColumnView> RedactElements(const ColumnView& column, const Rows& rows) {
    Rows elements;
    for (const int64_t row : Present(column, rows)) {
      const ListSlice slice = column.ListAt(row);
      for (uint64_t i = 0; i < slice.length; ++i) elements.push_back(static_cast<int64_t>(slice.offset + i));
    }
    // Lists may lie in any order, and share elements.
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    const std::optional<ColumnView> child = Redact(column.child(0), elements);
    if (!child.has_value()) return std::nullopt;
    return column.WithChildren(children_.emplace_back(1, *child).data());
  }

  std::optional<ColumnView> RedactFields(const ColumnView& column, const Rows& rows) {
    const Rows present = Present(column, rows);
    std::vector<ColumnView>* copy = nullptr;
    const size_t count = column.type().fields().size();
    for (size_t i = 0; i < count; ++i) {
      const std::optional<ColumnView> field = Redact(column.child(i), present);
      if (!field.has_value()) continue;
      if (copy == nullptr) copy = &children_.emplace_back(&column.child(0), &column.child(0) + count);
      (*copy)[i] = *field;
    }
    return copy == nullptr ? std::nullopt : std::optional(column.WithChildren(copy->data()));
  }

  const Redactor& redactor_;
  // Deques do not move their elements.
  std::deque<std::string> texts_;
  std::deque<std::vector<StringRef>> refs_;
  std::deque<std::vector<ColumnView>> children_;
};

}  // namespace

absl::Status RedactingSink::Append(const Batch& batch) {
  BatchRedactor redactor(*redactor_);
  Rows rows(static_cast<size_t>(batch.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<ColumnView> columns;
  columns.reserve(batch.column_count());
  for (size_t i = 0; i < batch.column_count(); ++i) {
    columns.push_back(redactor.Redact(batch.column(i), rows).value_or(batch.column(i)));
  }
  return next_->Append(Batch(columns.data(), columns.size(), batch.rows()));
}

}  // namespace logquery::result
