// Reads numbers in network byte order, and times counted from the year 2000.
#include "lib/engines/postgres/backend/result_reader.h"

#include <libpq-fe.h>

#include <bit>
#include <limits>

#include "lib/backend/json_reader.h"
#include "lib/base/engine_failure.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/parameters.h"

namespace logquery::postgres {
namespace {

using base::StrCat;

constexpr int64_t kBatchRows = 1'024;
constexpr int64_t kBatchBytes = 1 << 20;

template <typename T>
bool BigEndian(std::string_view bytes, T* out) {
  if (bytes.size() != sizeof(T)) return false;
  uint64_t number = 0;
  for (const char byte : bytes) number = (number << 8) | static_cast<unsigned char>(byte);
  *out = static_cast<T>(number);
  return true;
}

// Returns whether a column of our type can be read from values of that type of PostgreSQL, apart from jsonb.
bool IsMadeOf(const Type& type, uint32_t id) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return id == kBoolId;
    case TypeKind::kInt64:
      return id == kInt8Id;
    case TypeKind::kFloat64:
      return id == kFloat8Id;
    case TypeKind::kString:
      return id == kTextId || id == kVarcharId;
    case TypeKind::kBytes:
      return id == kByteaId;
    case TypeKind::kDate:
      return id == kDateId;
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return id == kTimestampId || id == kTimestamptzId;
    default:
      return false;
  }
}

}  // namespace

ResultReader::ResultReader(const Schema& schema, BatchSink* sink) : schema_(schema), sink_(sink) {
  for (const Field& column : schema) columns_.emplace_back(column.type);
}

absl::Status ResultReader::Wrong(size_t column, std::string_view what) const {
  return absl::InternalError(
      StrCat("PostgreSQL's column ", schema_[column].name, ", of ", schema_[column].type.ToString(), ", holds ", what));
}

absl::Status ResultReader::Add(const pg_result& row) {
  if (static_cast<size_t>(PQnfields(&row)) < columns_.size()) {
    return absl::InternalError(
        StrCat("PostgreSQL gave ", base::Counted(PQnfields(&row), "column"), " in place of ", columns_.size()));
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    const int column = static_cast<int>(i);
    if (PQgetisnull(&row, 0, column) != 0) {
      columns_[i].AppendNull();
      continue;
    }
    const std::string_view bytes(PQgetvalue(&row, 0, column), static_cast<size_t>(PQgetlength(&row, 0, column)));
    LOGQUERY_RETURN_IF_ERROR(AddValue(i, PQftype(&row, column), bytes));
  }
  ++rows_;
  has_rows_ = true;
  return rows_ >= kBatchRows || texts_.bytes() >= kBatchBytes ? Flush() : absl::OkStatus();
}

absl::Status ResultReader::AddValue(size_t column, uint32_t type_id, std::string_view bytes) {
  backend::ColumnBuilder& to = columns_[column];
  if (type_id == kJsonbId) {
    // A byte for its version goes before the text.
    if (bytes.empty() || bytes[0] != 1) return Wrong(column, "JSONB of another version");
    return backend::AppendJson(bytes.substr(1), to, texts_);
  }
  if (!IsMadeOf(to.type(), type_id)) {
    return base::MarkEngineFailure(Wrong(column, StrCat("values of the server's type ", type_id)));
  }
  int64_t integer = 0;
  int32_t days = 0;
  switch (to.type().kind()) {
    case TypeKind::kBool:
      to.Append(static_cast<uint8_t>(!bytes.empty() && bytes[0] != 0 ? 1 : 0));
      return absl::OkStatus();
    case TypeKind::kDate:
      if (!BigEndian(bytes, &days)) break;
      if (days > std::numeric_limits<int32_t>::max() - kEpochDays || days == std::numeric_limits<int32_t>::min())
        return Wrong(column, "an infinite date");
      to.Append(days + kEpochDays);
      return absl::OkStatus();
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      if (!BigEndian(bytes, &integer)) break;
      if (integer > std::numeric_limits<int64_t>::max() - kEpochMicros ||
          integer == std::numeric_limits<int64_t>::min())
        return Wrong(column, "an infinite time");
      to.Append(integer + kEpochMicros);
      return absl::OkStatus();
    case TypeKind::kInt64:
      if (!BigEndian(bytes, &integer)) break;
      to.Append(integer);
      return absl::OkStatus();
    case TypeKind::kFloat64:
      if (!BigEndian(bytes, &integer)) break;
      to.Append(std::bit_cast<double>(integer));
      return absl::OkStatus();
    default:
      to.Append(StringRef(texts_.Copy(bytes)));
      return absl::OkStatus();
  }
  return Wrong(column, base::Counted(bytes.size(), "byte"));
}

absl::Status ResultReader::Flush() {
  if (rows_ == 0) return absl::OkStatus();
  std::vector<ColumnView> views;
  for (backend::ColumnBuilder& column : columns_) views.push_back(column.View());
  const absl::Status status = sink_->Append(Batch(views.data(), views.size(), rows_));
  for (backend::ColumnBuilder& column : columns_) column.Clear();
  texts_.Clear();
  rows_ = 0;
  return status;
}

}  // namespace logquery::postgres
