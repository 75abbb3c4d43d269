// First scans a row for its end, which is cheap, and parses it only when it is complete.
#include "lib/engines/clickhouse/backend/row_reader.h"

#include <algorithm>
#include <utility>

#include "lib/backend/json_reader.h"
#include "lib/base/engine_failure.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/wire_reader.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;
using Kind = WireType::Kind;

constexpr int64_t kBatchRows = 1'024;
constexpr int64_t kBatchBytes = 1 << 20;
constexpr size_t kMaxRowBytes = 64 << 20;
constexpr uint64_t kMaxColumns = 10'000;

bool IsText(const WireType& wire) {
  return wire.kind == Kind::kString || wire.kind == Kind::kFixedString || wire.kind == Kind::kNothing;
}

bool IsRecordReadFrom(const Type& type, const WireType& wire) {
  if (wire.kind == Kind::kMap) {
    if (wire.children[0].plain().kind != Kind::kString || wire.children[0].is_nullable()) return false;
    for (const Field& field : type.fields()) {
      if (!IsReadFrom(field.type, wire.children[1])) return false;
    }
    return true;
  }
  for (size_t i = 0; i < wire.children.size(); ++i) {
    for (const Field& field : type.fields()) {
      if (field.name == wire.names[i] && !IsReadFrom(field.type, wire.children[i])) return false;
    }
  }
  return true;
}

bool IsMapOfTexts(const WireType& wire) {
  return std::all_of(wire.children.begin(), wire.children.end(),
                     [](const WireType& part) { return part.plain().kind == Kind::kString && !part.is_nullable(); });
}

// Returns whether the reader can find where values of the type end.
bool IsKnown(const WireType& type) {
  return type.kind != Kind::kOther && std::all_of(type.children.begin(), type.children.end(), IsKnown);
}

absl::Status Cut() { return absl::UnavailableError("ClickHouse's answer ended before it was whole; try again"); }

}  // namespace

bool IsReadFrom(const Type& type, const WireType& wire) {
  const WireType& plain = wire.plain();
  if (plain.kind == Kind::kNothing) return true;
  const bool is_record = type.is_record() || type.is_struct();
  if (is_record && (plain.kind == Kind::kTuple || plain.kind == Kind::kMap)) return IsRecordReadFrom(type, plain);
  if (type.is(TypeKind::kJson) && plain.kind == Kind::kMap) return IsMapOfTexts(plain);
  if (is_record || type.is_array() || type.is(TypeKind::kJson)) {
    if (!is_record && type.is_array() && plain.kind == Kind::kArray)
      return IsReadFrom(type.element(), plain.children[0]);
    return (IsText(plain) || plain.kind == Kind::kJson) && backend::ReadsFromJson(type);
  }
  switch (type.kind()) {
    case TypeKind::kBool:
      return plain.kind == Kind::kBool || (plain.kind == Kind::kUint && plain.width == 1);
    case TypeKind::kInt64:
      return plain.kind == Kind::kInt || plain.kind == Kind::kUint;
    case TypeKind::kFloat64:
      return plain.kind == Kind::kFloat;
    case TypeKind::kString:
    case TypeKind::kBytes:
      return IsText(plain);
    case TypeKind::kDate:
      return plain.kind == Kind::kDate || plain.kind == Kind::kDate32 || (plain.kind == Kind::kInt && plain.width == 4);
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return plain.kind == Kind::kDateTime || plain.kind == Kind::kDateTime64;
    default:
      return false;
  }
}

RowReader::RowReader(const Schema& schema, BatchSink* sink) : schema_(schema), sink_(sink) {
  for (const Field& column : schema) columns_.emplace_back(column.type);
}

absl::Status RowReader::ReadHead(bool* done) {
  WireCursor cursor(pending_);
  uint64_t count = 0;
  std::vector<std::string_view> words;
  bool whole = cursor.TakeVarint(&count);
  if (count > kMaxColumns) return absl::InternalError("ClickHouse's answer does not begin with its columns");
  for (uint64_t i = 0; whole && i < 2 * count; ++i) {
    uint64_t length = 0;
    std::string_view word;
    whole = cursor.TakeVarint(&length) && cursor.Take(length, &word);
    words.push_back(word);
  }
  if (!whole) {
    if (cursor.broken() || cursor.wanted() > kMaxRowBytes) {
      return absl::InternalError("ClickHouse's answer does not begin with its columns");
    }
    return absl::OkStatus();
  }
  for (uint64_t i = 0; i < count; ++i) {
    absl::StatusOr<WireType> type = ParseWireType(words[count + i]);
    if (!type.ok()) return absl::InternalError(type.status().message());
    types_.push_back(*std::move(type));
  }
  pending_.erase(0, cursor.at());
  *done = has_head_ = true;
  return CheckHead();
}

absl::Status RowReader::CheckHead() const {
  if (types_.size() < columns_.size()) {
    return absl::InternalError(
        StrCat("ClickHouse gave ", base::Counted(types_.size(), "column"), " in place of ", columns_.size()));
  }
  for (const WireType& type : types_) {
    if (!IsKnown(type)) return absl::InternalError(StrCat("ClickHouse gave a column of its type ", type.text));
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (IsReadFrom(schema_[i].type, types_[i])) continue;
    return base::MarkEngineFailure(
        absl::InternalError(StrCat("ClickHouse's column ", schema_[i].name, ", of ", schema_[i].type.ToString(),
                                   ", is of its type ", types_[i].text)));
  }
  return absl::OkStatus();
}

absl::Status RowReader::Add(std::string_view bytes) {
  pending_ += bytes;
  if (pending_.size() < wanted_) return absl::OkStatus();
  if (!has_head_) {
    bool done = false;
    LOGQUERY_RETURN_IF_ERROR(ReadHead(&done));
    if (!done) return absl::OkStatus();
  }
  return ReadRows();
}

absl::Status RowReader::ReadRows() {
  size_t begin = 0;
  wanted_ = 0;
  while (begin < pending_.size()) {
    const std::string_view left = std::string_view(pending_).substr(begin);
    WireCursor end(left);
    bool whole = true;
    for (size_t i = 0; whole && i < types_.size(); ++i) whole = end.SkipValue(types_[i]);
    if (!whole) {
      if (end.broken()) return absl::InternalError("ClickHouse's rows can't be read: a value's length is no length");
      if (end.wanted() > kMaxRowBytes) return absl::ResourceExhaustedError("a row of ClickHouse has over 64 MiB");
      wanted_ = end.wanted();
      break;
    }
    WireCursor cursor(left);
    for (size_t i = 0; i < columns_.size(); ++i) {
      const absl::Status status = AppendWireValue(types_[i], cursor, columns_[i], texts_);
      if (!status.ok()) {
        return absl::InternalError(StrCat("ClickHouse's column ", schema_[i].name, " ", base::Message(status)));
      }
    }
    begin += end.at();
    ++rows_;
    if (rows_ >= kBatchRows || texts_.bytes() >= kBatchBytes) LOGQUERY_RETURN_IF_ERROR(Flush());
    if (types_.empty()) return absl::InternalError("ClickHouse's answer has no columns");
  }
  pending_.erase(0, begin);
  return absl::OkStatus();
}

absl::Status RowReader::Finish() {
  if (!has_head_ || !pending_.empty()) return Cut();
  return Flush();
}

absl::Status RowReader::Flush() {
  if (rows_ == 0) return absl::OkStatus();
  has_rows_ = true;
  std::vector<ColumnView> views;
  for (backend::ColumnBuilder& column : columns_) views.push_back(column.View());
  refused_ = sink_->Append(Batch(views.data(), views.size(), rows_));
  for (backend::ColumnBuilder& column : columns_) column.Clear();
  texts_.Clear();
  rows_ = 0;
  return refused_;
}

}  // namespace logquery::clickhouse
