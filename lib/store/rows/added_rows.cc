// Copies vectors by the engine's own function, which copies nested values and texts.
#include "lib/store/rows/added_rows.h"

#include <algorithm>
#include <utility>

#include "lib/engines/duckdb/backend/engine_memory.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/result_view.h"

namespace logquery::store {
namespace {

using duckdb::ChunkHandle;
using duckdb::TypeHandle;

void DestroySelection(duckdb_selection_vector* selection) { duckdb_destroy_selection_vector(*selection); }
using SelectionHandle = duckdb::Handle<duckdb_selection_vector, DestroySelection>;

SelectionHandle Select(const std::vector<uint32_t>& rows) {
  SelectionHandle selection(duckdb_create_selection_vector(rows.size()));
  std::copy(rows.begin(), rows.end(), duckdb_selection_vector_get_data_ptr(selection.get()));
  return selection;
}

}  // namespace

void AddedRows::Note(std::optional<std::string_view> project, int64_t time) {
  next_times_.push_back(time);
  if (!project) {
    next_projects_.push_back(-1);
    return;
  }
  auto known = project_numbers_.find(*project);
  if (known == project_numbers_.end()) {
    known = project_numbers_.emplace(std::string(*project), static_cast<int>(projects_.size())).first;
    projects_.emplace_back(*project);
  }
  next_projects_.push_back(known->second);
}

void AddedRows::Take(const RowPlan& plan, duckdb_data_chunk chunk, size_t rows, size_t bytes) {
  rows_ += rows;
  bytes_ += bytes;
  std::vector<int64_t> times = std::exchange(next_times_, {});
  std::vector<int> projects = std::exchange(next_projects_, {});
  is_whole_ = is_whole_ && rows_ <= kMaxRows && bytes_ <= kMaxBytes && times.size() == rows;
  if (!is_whole_) pieces_.clear();
  if (!is_whole_ || rows == 0) return;
  const std::vector<StoredColumn>& columns = plan.layout().columns;
  if (names_.empty()) {
    for (const StoredColumn& column : columns) {
      if (column.is_packed()) continue;
      names_.push_back(column.name);
      types_.push_back(column.type);
    }
  }
  std::vector<uint32_t> all(rows);
  for (size_t i = 0; i < rows; ++i) all[i] = static_cast<uint32_t>(i);
  const SelectionHandle selection = Select(all);
  Piece piece{{}, std::move(times), std::move(projects)};
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].is_packed()) continue;  // the record itself is here
    VectorHandle copy(duckdb_create_vector(duckdb::LogicalType(columns[i].type).get(), rows));
    duckdb_vector_copy_sel(duckdb_data_chunk_get_vector(chunk, i), copy.get(), selection.get(), rows, 0, 0);
    piece.columns.push_back(std::move(copy));
  }
  pieces_.push_back(std::move(piece));
}

void AddedRows::Merge(AddedRows other) {
  rows_ += other.rows_;
  bytes_ += other.bytes_;
  is_whole_ = is_whole_ && other.is_whole_ && rows_ <= kMaxRows && bytes_ <= kMaxBytes;
  if (!is_whole_) {
    pieces_.clear();
    return;
  }
  if (other.pieces_.empty()) return;
  if (names_.empty()) {
    names_ = std::move(other.names_);
    types_ = std::move(other.types_);
  }
  std::vector<int> numbers;
  for (const std::string& project : other.projects_) {
    const auto [known, is_new] = project_numbers_.try_emplace(project, static_cast<int>(projects_.size()));
    if (is_new) projects_.push_back(project);
    numbers.push_back(known->second);
  }
  for (Piece& piece : other.pieces_) {
    for (int& project : piece.projects) project = project < 0 ? -1 : numbers[static_cast<size_t>(project)];
    pieces_.push_back(std::move(piece));
  }
}

int AddedRows::ColumnOf(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

bool AddedRows::Has(const WantedRows& wanted) const {
  if (!is_whole_ || wanted.columns.size() != wanted.schema.size()) return false;
  if (pieces_.empty()) return true;
  for (size_t i = 0; i < wanted.columns.size(); ++i) {
    const int column = ColumnOf(wanted.columns[i]);
    if (column < 0) return false;
    const TypeHandle stored = duckdb::LogicalType(types_[static_cast<size_t>(column)]);
    if (!duckdb::CheckLayout(wanted.schema[i].type, stored.get(), wanted.schema[i].name).ok()) return false;
  }
  return true;
}

void AddedRows::ForEachWanted(const WantedRows& wanted, const Piece& piece,
                              absl::FunctionRef<void(size_t)> take) const {
  int project = -1;
  if (wanted.project.has_value()) {
    const auto known = project_numbers_.find(*wanted.project);
    if (known == project_numbers_.end()) return;
    project = known->second;
  }
  for (size_t i = 0; i < piece.times.size(); ++i) {
    if (wanted.project.has_value() && piece.projects[i] != project) continue;
    if (piece.times[i] >= wanted.from && piece.times[i] <= wanted.to) take(i);
  }
}

void AddedRows::FindTimes(const WantedRows& wanted, std::vector<int64_t>& times) const {
  for (const Piece& piece : pieces_) {
    ForEachWanted(wanted, piece, [&](size_t row) { times.push_back(piece.times[row]); });
  }
}

absl::Status AddedRows::Read(const WantedRows& wanted, absl::FunctionRef<absl::Status(const Batch&)> pass) const {
  std::vector<TypeHandle> types;
  std::vector<duckdb_logical_type> raw_types;
  for (const std::string& column : pieces_.empty() ? std::vector<std::string>() : wanted.columns) {
    types.push_back(duckdb::LogicalType(types_[static_cast<size_t>(ColumnOf(column))]));
    raw_types.push_back(types.back().get());
  }
  for (const Piece& piece : pieces_) {
    std::vector<uint32_t> rows;
    ForEachWanted(wanted, piece, [&](size_t row) { rows.push_back(static_cast<uint32_t>(row)); });
    if (rows.empty()) continue;
    const duckdb::EngineMemory memory;
    const SelectionHandle selection = Select(rows);
    const ChunkHandle chunk(duckdb_create_data_chunk(raw_types.data(), raw_types.size()));
    for (size_t i = 0; i < wanted.columns.size(); ++i) {
      const auto column = static_cast<size_t>(ColumnOf(wanted.columns[i]));
      duckdb_vector_copy_sel(piece.columns[column].get(), duckdb_data_chunk_get_vector(chunk.get(), i), selection.get(),
                             rows.size(), 0, 0);
    }
    duckdb_data_chunk_set_size(chunk.get(), rows.size());
    duckdb::ResultView view = duckdb::ResultView::OfChunks(wanted.schema, raw_types);
    const absl::Status passed = pass(view.Lay(chunk.get(), static_cast<int64_t>(rows.size())));
    if (!passed.ok()) return passed;
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
