// Converts values to one row of columns, and the result back to a value.
#include "lib/functions/evaluate.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "lib/base/status_macros.h"
#include "logquery/batch.h"

namespace logquery::functions {
namespace {

constexpr int kNumericScale = 9;

// A result of one row, in memory of its own.
class OneResult : public ResultColumn {
 public:
  OneResult() : ResultColumn(&fixed_) {}

  void SetNull(int64_t) override { validity_ = 0; }
  void SetText(int64_t, std::string_view text) override {
    texts_.emplace_back(text);
    SetFixed(0, StringRef(texts_.back()));
  }
  void SetTexts(int64_t, const TextList& texts) override {
    elements_.reserve(texts.size());
    element_validity_.assign(texts.size() / 64 + 1, 0);
    for (size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].has_value()) element_validity_[i / 64] |= uint64_t{1} << (i % 64);
      texts_.emplace_back(texts[i].value_or(""));
      elements_.emplace_back(texts_.back());
    }
    SetFixed(0, ListSlice{0, texts.size()});
  }
  void SetInts(int64_t, const std::vector<int64_t>& values) override {
    numbers_ = values;
    SetFixed(0, ListSlice{0, values.size()});
  }

  Value ValueOf(const Type& type) const {
    ColumnView elements;
    if (type.is_array()) {
      const bool numbers = type.element().is(TypeKind::kInt64);
      elements = ColumnView(&type.element(), numbers ? nullptr : element_validity_.data(),
                            numbers ? static_cast<const void*>(numbers_.data()) : elements_.data());
    }
    return ColumnView(&type, &validity_, &fixed_, &elements, type.is(TypeKind::kNumeric) ? kNumericScale : 0)
        .ValueAt(0);
  }

 private:
  alignas(16) char fixed_[16] = {};  // the largest value of a fixed size
  uint64_t validity_ = 1;
  std::deque<std::string> texts_;  // never move
  std::vector<StringRef> elements_;
  std::vector<uint64_t> element_validity_;
  std::vector<int64_t> numbers_;
};

}  // namespace

absl::StatusOr<Value> Evaluate(const FunctionEntry& entry, const std::vector<Value>& arguments, const Type& result) {
  Work work(/*stop=*/nullptr);
  return Evaluate(entry, arguments, result, work);
}

absl::StatusOr<Value> Evaluate(const FunctionEntry& entry, const std::vector<Value>& arguments, const Type& result,
                               Work& work) {
  Schema schema;
  for (const Value& argument : arguments) schema.push_back({"", argument.type()});
  const ValueBatch row(schema, {arguments});
  const Batch batch = row.batch();
  absl::InlinedVector<ColumnView, 8> columns;
  for (size_t i = 0; i < batch.column_count(); ++i) columns.push_back(batch.column(i));
  OneResult out;
  LOGQUERY_RETURN_IF_ERROR(EvaluateRows(entry, OnError::kFail, columns, /*rows=*/1, work, out));
  return out.ValueOf(result);
}

}  // namespace logquery::functions
