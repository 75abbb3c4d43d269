// Implements EngineRows of fragment_engine.h: cells of a row, one after the other, into columns.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lib/backend/column_builder.h"
#include "lib/backend/json_reader.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/experimental/fragment_engine.h"

namespace logquery {
namespace {

constexpr int64_t kBatchRows = 1'024;
constexpr int64_t kBatchBytes = 1 << 20;

}  // namespace

struct EngineRows::Impl {
  Impl(const Schema& of, BatchSink& to) : schema(of), sink(to) {
    for (const Field& column : of) columns.emplace_back(column.type);
  }

  // Returns the column of the next cell; nullptr: there is none, or the row is wrong already.
  backend::ColumnBuilder* Next() {
    if (next < columns.size() && status.ok()) return &columns[next++];
    ++next;
    return nullptr;
  }

  void Wrong(std::string_view what) {
    const Field& column = schema[next - 1];
    status = absl::InternalError(
        base::StrCat("the engine gave ", what, " for the column ", column.name, " of ", column.type.ToString()));
  }

  absl::Status Flush() {
    if (rows == 0) return absl::OkStatus();
    std::vector<ColumnView> views;
    for (backend::ColumnBuilder& column : columns) views.push_back(column.View());
    const absl::Status appended = sink.Append(Batch(views.data(), views.size(), rows));
    for (backend::ColumnBuilder& column : columns) column.Clear();
    texts.Clear();
    rows = 0;
    return appended;
  }

  const Schema& schema;
  BatchSink& sink;
  std::vector<backend::ColumnBuilder> columns;
  backend::TextBlocks texts;
  size_t next = 0;      // the cells of the current row
  int64_t rows = 0;     // complete ones, not yet passed on
  absl::Status status;  // of the current row; an error stays
};

EngineRows::EngineRows(const Schema& schema, BatchSink& sink) : impl_(std::make_unique<Impl>(schema, sink)) {}
EngineRows::~EngineRows() = default;

void EngineRows::AddNull() {
  if (backend::ColumnBuilder* const column = impl_->Next()) column->AppendNull();
}

void EngineRows::AddBool(bool value) { AddInt64(value ? 1 : 0); }

void EngineRows::AddInt64(int64_t value) {
  backend::ColumnBuilder* const column = impl_->Next();
  if (column == nullptr) return;
  switch (column->type().kind()) {
    case TypeKind::kBool:
      return column->Append(static_cast<uint8_t>(value != 0 ? 1 : 0));
    case TypeKind::kInt64:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return column->Append(value);
    case TypeKind::kDate:
      if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) break;
      return column->Append(static_cast<int32_t>(value));
    default:
      break;
  }
  impl_->Wrong(base::StrCat("the number ", value));
}

void EngineRows::AddFloat64(double value) {
  backend::ColumnBuilder* const column = impl_->Next();
  if (column == nullptr) return;
  if (column->type().is(TypeKind::kFloat64)) return column->Append(value);
  impl_->Wrong("a floating-point number");
}

void EngineRows::AddText(std::string_view value) {
  backend::ColumnBuilder* const column = impl_->Next();
  if (column == nullptr) return;
  switch (column->type().kind()) {
    case TypeKind::kString:
    case TypeKind::kBytes:
      if (value.size() > std::numeric_limits<int32_t>::max()) return impl_->Wrong("a text of more than 2 GB");
      return column->Append(StringRef(impl_->texts.Copy(value)));
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      impl_->status = backend::AppendJson(value, *column, impl_->texts);
      return;
    default:
      return impl_->Wrong("text");
  }
}

absl::Status EngineRows::EndRow() {
  Impl& impl = *impl_;
  if (impl.status.ok() && impl.next != impl.columns.size()) {
    impl.status = absl::InternalError(base::StrCat("the engine gave a row of ", base::Counted(impl.next, "value"),
                                                   " in place of ", impl.columns.size()));
  }
  LOGQUERY_RETURN_IF_ERROR(impl.status);
  impl.next = 0;
  ++impl.rows;
  if (impl.rows < kBatchRows && impl.texts.bytes() < kBatchBytes) return absl::OkStatus();
  impl.status = impl.Flush();
  return impl.status;
}

absl::Status EngineRows::Finish() {
  LOGQUERY_RETURN_IF_ERROR(impl_->status);
  if (impl_->next != 0) return absl::InternalError("the engine's last row has not ended");
  return impl_->Flush();
}

}  // namespace logquery
