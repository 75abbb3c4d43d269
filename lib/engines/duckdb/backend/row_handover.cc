// Chunks end by bytes as well as by rows, so that an engine with little memory can take long rows.
#include "lib/engines/duckdb/backend/row_handover.h"

#include <algorithm>

#include "lib/base/readable_text.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/engines/duckdb/backend/engine_memory.h"
#include "lib/engines/duckdb/backend/source/vector_writer.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/model/decimal_text.h"

namespace logquery::duckdb {
namespace {

constexpr int64_t kChunkBytes = 1 << 20;
// How many rows are copied before their length is known.
constexpr int64_t kFirstRows = 16;

void DestroyTableFunction(duckdb_table_function* function) { duckdb_destroy_table_function(function); }

// Names that the engine takes: valid, not empty, and no two the same.
std::vector<std::string> FileNames(std::vector<Field> fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string name;
    base::AppendValidUtf8(fields[i].name, name);
    // The engine's API takes names that end at a NUL.
    for (size_t at = name.find('\0'); at != std::string::npos; at = name.find('\0')) name.replace(at, 1, "\uFFFD");
    fields[i].name = name.empty() ? base::StrCat("_field_", i + 1) : name;
  }
  return emit::DuckDbFieldNames(fields);
}

// The type in a file: that of WriteRows for files, with times of TIMESTAMP as times in UTC.
TypeHandle FileType(const Type& type) {
  if (type.is_struct() || type.is_record()) {
    const std::vector<std::string> names = FileNames(type.fields());
    std::vector<TypeHandle> owned;
    std::vector<duckdb_logical_type> types;
    std::vector<const char*> name_pointers;
    for (size_t i = 0; i < names.size(); ++i) {
      owned.push_back(FileType(type.fields()[i].type));
      types.push_back(owned.back().get());
      name_pointers.push_back(names[i].c_str());
    }
    return TypeHandle(duckdb_create_struct_type(types.data(), name_pointers.data(), types.size()));
  }
  const auto plain = [](duckdb_type id) { return TypeHandle(duckdb_create_logical_type(id)); };
  switch (type.kind()) {
    case TypeKind::kBool:
      return plain(DUCKDB_TYPE_BOOLEAN);
    case TypeKind::kInt64:
      return plain(DUCKDB_TYPE_BIGINT);
    case TypeKind::kFloat64:
      return plain(DUCKDB_TYPE_DOUBLE);
    case TypeKind::kNumeric:
      return TypeHandle(duckdb_create_decimal_type(38, model::kNumericScale));
    case TypeKind::kBigNumeric:
    case TypeKind::kInterval:
    case TypeKind::kString:
      return plain(DUCKDB_TYPE_VARCHAR);
    case TypeKind::kBytes:
      return plain(DUCKDB_TYPE_BLOB);
    case TypeKind::kDate:
      return plain(DUCKDB_TYPE_DATE);
    case TypeKind::kTime:
      return plain(DUCKDB_TYPE_TIME);
    case TypeKind::kDatetime:
      return plain(DUCKDB_TYPE_TIMESTAMP);
    case TypeKind::kTimestamp:
      return plain(DUCKDB_TYPE_TIMESTAMP_TZ);
    case TypeKind::kJson: {
      TypeHandle json = plain(DUCKDB_TYPE_VARCHAR);
      duckdb_logical_type_set_alias(json.get(), "JSON");
      return json;
    }
    case TypeKind::kArray:
      return TypeHandle(duckdb_create_list_type(FileType(type.element()).get()));
    case TypeKind::kStruct:
      break;
  }
  return {};
}

}  // namespace

absl::Status RowHandover::Append(const Batch& batch) {
  if (batch.rows() == 0) return absl::OkStatus();
  if (batch.column_count() != schema_.size()) {
    return absl::InternalError(base::StrCat("a batch of ", base::Counted(batch.column_count(), "column"),
                                            " where the file has ", schema_.size()));
  }
  absl::MutexLock lock(&mutex_);
  batch_ = &batch;
  mutex_.Await(absl::Condition(this, &RowHandover::IsTaken));
  const bool is_copied = batch_ == nullptr;
  batch_ = nullptr;
  return is_copied ? absl::OkStatus() : Outcome();
}

absl::Status RowHandover::Close() {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
  mutex_.Await(absl::Condition(&ended_));
  return status_;
}

void RowHandover::Abandon() {
  absl::MutexLock lock(&mutex_);
  abandoned_ = true;
}

absl::Status RowHandover::Outcome() const {
  return status_.ok() ? absl::InternalError("the engine ended before the last row") : status_;
}

void RowHandover::End(absl::Status outcome) {
  absl::MutexLock lock(&mutex_);
  if (status_.ok()) status_ = std::move(outcome);
  ended_ = true;
}

absl::Status RowHandover::Fill(duckdb_data_chunk chunk) {
  absl::MutexLock lock(&mutex_);
  duckdb_data_chunk_set_size(chunk, 0);
  mutex_.Await(absl::Condition(this, &RowHandover::HasNews));
  absl::Status status = abandoned_          ? absl::CancelledError("the rows are not wanted any more")
                        : batch_ == nullptr ? absl::OkStatus()
                                            : Copy(chunk);
  if (!status.ok() && status_.ok()) status_ = status;
  return status;
}

absl::Status RowHandover::Copy(duckdb_data_chunk chunk) {
  const auto capacity = static_cast<int64_t>(duckdb_vector_size());
  int64_t filled = 0;
  for (int64_t bytes = 0; bytes < kChunkBytes && filled < capacity && begin_ < batch_->rows();) {
    const int64_t fitting = row_bytes_ == 0 ? kFirstRows : std::max<int64_t>((kChunkBytes - bytes) / row_bytes_, 1);
    const int64_t rows = std::min({fitting, capacity - filled, batch_->rows() - begin_});
    int64_t copied = 0;
    for (size_t i = 0; i < schema_.size(); ++i) {
      absl::StatusOr<int64_t> written = WriteRows(batch_->column(i), begin_, rows, schema_[i].name, filled,
                                                  duckdb_data_chunk_get_vector(chunk, i), WrittenFor::kFile);
      if (!written.ok()) return written.status();
      copied += *written;
    }
    row_bytes_ = std::max<int64_t>(copied / rows, 1);
    bytes += copied;
    filled += rows;
    begin_ += rows;
  }
  duckdb_data_chunk_set_size(chunk, static_cast<idx_t>(filled));
  if (begin_ == batch_->rows()) {
    begin_ = 0;
    batch_ = nullptr;
  }
  return absl::OkStatus();
}

absl::Status RowsFunction::Register(duckdb_connection connection) {
  const Handle<duckdb_table_function, DestroyTableFunction> function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), "logquery_rows");
  const TypeHandle number(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  duckdb_table_function_add_parameter(function.get(), number.get());
  duckdb_table_function_set_extra_info(function.get(), this, nullptr);
  duckdb_table_function_set_bind(function.get(), Bind);
  duckdb_table_function_set_init(function.get(), Init);
  duckdb_table_function_set_function(function.get(), Fill);
  if (duckdb_register_table_function(connection, function.get()) == DuckDBSuccess) return absl::OkStatus();
  return absl::InternalError("DuckDB does not take the function logquery_rows");
}

int64_t RowsFunction::Add(RowHandover* handover) {
  absl::MutexLock lock(&mutex_);
  handovers_.emplace(next_, handover);
  return next_++;
}

void RowsFunction::Remove(int64_t id) {
  absl::MutexLock lock(&mutex_);
  handovers_.erase(id);
}

RowHandover* RowsFunction::Find(int64_t id) const {
  absl::MutexLock lock(&mutex_);
  const auto found = handovers_.find(id);
  return found == handovers_.end() ? nullptr : found->second;
}

void RowsFunction::Bind(duckdb_bind_info info) {
  const auto* const self = static_cast<const RowsFunction*>(duckdb_bind_get_extra_info(info));
  const ValueHandle id(duckdb_bind_get_parameter(info, 0));
  RowHandover* const handover = self->Find(duckdb_get_int64(id.get()));
  if (handover == nullptr) return duckdb_bind_set_error(info, "there are no such rows");
  const std::vector<std::string> names = FileNames(handover->schema());
  for (size_t i = 0; i < names.size(); ++i) {
    const TypeHandle type = FileType(handover->schema()[i].type);
    if (!type) return duckdb_bind_set_error(info, "a column's type can't be in a file");
    duckdb_bind_add_result_column(info, names[i].c_str(), type.get());
  }
  duckdb_bind_set_bind_data(info, handover, nullptr);
}

void RowsFunction::Init(duckdb_init_info info) { duckdb_init_set_max_threads(info, 1); }

void RowsFunction::Fill(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto& handover = *static_cast<RowHandover*>(duckdb_function_get_bind_data(info));
  const EngineMemory memory;
  const absl::Status status = handover.Fill(chunk);
  if (!status.ok()) duckdb_function_set_error(info, std::string(base::Message(status)).c_str());
}

}  // namespace logquery::duckdb
