// A function runs over a batch's column and columns of its constants, as in an engine.
#include "lib/endpoint/call/row_finish.h"

#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

// The texts of one column of a batch.
class Texts : public functions::ResultColumn {
 public:
  explicit Texts(int64_t rows)
      : ResultColumn(nullptr),
        refs_(static_cast<size_t>(rows)),
        validity_(static_cast<size_t>(rows) / 64 + 1, ~uint64_t{0}) {}

  void SetNull(int64_t row) override { validity_[static_cast<size_t>(row) / 64] &= ~(uint64_t{1} << (row % 64)); }
  void SetText(int64_t row, std::string_view text) override {
    // A short text lies in its reference.
    const bool is_short = text.size() <= sizeof(StringRef::bytes);
    refs_[static_cast<size_t>(row)] = StringRef(is_short ? text : std::string_view(long_texts_.emplace_back(text)));
  }
  // The pass takes calls that return a STRING only.
  void SetTexts(int64_t row, const functions::TextList&) override { SetNull(row); }
  void SetInts(int64_t row, const std::vector<int64_t>&) override { SetNull(row); }

  ColumnView view(const Type* type) const { return {type, validity_.data(), refs_.data()}; }

 private:
  std::vector<StringRef> refs_;
  std::vector<uint64_t> validity_;
  std::deque<std::string> long_texts_;  // a deque does not move its elements
};

}  // namespace

std::shared_ptr<const RowFinish> RowFinish::Of(const rewrite::QueryPlan& plan) {
  if (plan.finished.empty()) return nullptr;
  std::shared_ptr<RowFinish> finish(new RowFinish);
  finish->schema_ = plan.schema;
  for (const rewrite::FinishedText& finished : plan.finished) {
    finish->schema_[finished.column].type = finished.type;
    const auto& call = rewrite::As<rewrite::FunctionCall>(*finished.call);
    Text& text = finish->texts_.emplace_back(Text{finished.column, call.overload->own, {}});
    for (size_t i = 1; i < call.arguments.size(); ++i) {
      text.constants.push_back(rewrite::As<rewrite::Constant>(*call.arguments[i]).value);
    }
    base::StrAppend(&finish->description_, text.column, " = ", text.function->name, "(");
    for (const Value& constant : text.constants) base::StrAppend(&finish->description_, constant.DebugString(), ", ");
    base::StrAppend(&finish->description_, ")\n");
  }
  return finish;
}

absl::Status FinishingSink::Append(const Batch& batch) {
  if (finish_ == nullptr || batch.rows() == 0) return next_->Append(batch);
  std::vector<ColumnView> columns;
  columns.reserve(batch.column_count());
  for (size_t i = 0; i < batch.column_count(); ++i) columns.push_back(batch.column(i));
  constants_.resize(finish_->texts().size());
  std::deque<Texts> made;
  for (size_t i = 0; i < finish_->texts().size(); ++i) {
    const RowFinish::Text& text = finish_->texts()[i];
    Extend(text, batch.rows(), constants_[i]);
    absl::InlinedVector<ColumnView, 4> arguments = {batch.column(text.column)};
    if (constants_[i].rows) {
      const Batch constants = constants_[i].rows->batch();
      for (size_t j = 0; j < constants.column_count(); ++j) arguments.push_back(constants.column(j));
    }
    Texts& texts = made.emplace_back(batch.rows());
    LOGQUERY_RETURN_IF_ERROR(functions::EvaluateRows(*text.function, functions::OnError::kFail, arguments, batch.rows(),
                                                     /*stop=*/nullptr, texts));
    columns[text.column] = texts.view(&finish_->schema()[text.column].type);
  }
  return next_->Append(Batch(columns.data(), columns.size(), batch.rows()));
}

void FinishingSink::Extend(const RowFinish::Text& text, int64_t rows, Constants& constants) {
  if (text.constants.empty() || constants.count >= rows) return;
  Schema schema;
  for (const Value& value : text.constants) schema.push_back({"", value.type()});
  constants.rows.emplace(schema, std::vector<std::vector<Value>>(static_cast<size_t>(rows), text.constants));
  constants.count = rows;
}

}  // namespace logquery::endpoint
