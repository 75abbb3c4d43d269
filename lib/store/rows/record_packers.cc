// Packs all rows of a chunk first, and then points to their bytes, which move while they grow.
#include "lib/store/rows/record_packers.h"

#include <limits>
#include <string_view>

#include "lib/engines/duckdb/backend/engine_types.h"

namespace logquery::store {

RecordPackers::RecordPackers(const RowPlan* plan, RareProjects* rare, int64_t first_day, bool counts)
    : plan_(plan), first_day_(first_day), counts_(counts), rare_(rare) {
  // A row of no time, or of the latest there is, is in no window of the newest rows.
  if (plan_->time() == nullptr || first_day_ == std::numeric_limits<int64_t>::max()) return;
  const std::vector<StoredColumn>& stored = plan_->layout().columns;
  for (size_t i = 0; i < stored.size(); ++i) {
    if (!stored[i].is_packed()) continue;
    for (size_t record = 0; record < stored.size(); ++record) {
      if (stored[record].role != StoredColumn::Role::kDeclared || stored[record].name != stored[i].path[0]) continue;
      columns_.push_back({record, plan_->columns()[i]->slot, backend::RecordPacker(stored[record].type)});
    }
  }
  if (columns_.empty()) return;
  Schema schema;
  std::vector<duckdb::TypeHandle> types;
  std::vector<duckdb_logical_type> raw_types;
  for (const StoredColumn& column : stored) {
    schema.push_back({column.name, column.type});
    types.push_back(duckdb::LogicalType(column.type));
    raw_types.push_back(types.back().get());
  }
  view_ = duckdb::ResultView::OfChunks(schema, raw_types);
}

void RecordPackers::FindRows(const ChunkBuilder& builder, uint64_t rows) {
  const int time = plan_->time()->slot;
  const FieldNode* const project = plan_->project();
  packs_.assign(rows, false);
  closed_.clear();
  closed_places_.clear();
  for (uint64_t row = 0; row < rows; ++row) {
    if (!builder.IsValid(time, row)) continue;
    const auto at = builder.Get<int64_t>(time, row);
    packs_[row] = at >= first_day_;
    if (packs_[row] || project == nullptr || !builder.IsValid(project->slot, row)) continue;
    closed_.push_back({builder.Get<StringRef>(project->slot, row), at});
    closed_places_.push_back(row);
  }
  if (counts_) rare_->Count(closed_);
  rare_->Find(closed_);
  for (size_t i = 0; i < closed_.size(); ++i) packs_[closed_places_[i]] = closed_[i].is_rare;
}

void RecordPackers::Pack(duckdb_data_chunk chunk, uint64_t rows, ChunkBuilder& builder) {
  if (!view_ || rows == 0) return;
  packed_.clear();
  places_.clear();
  FindRows(builder, rows);
  const Batch batch = view_->Lay(chunk, static_cast<int64_t>(rows));
  for (uint64_t row = 0; row < rows; ++row) {
    if (!packs_[row]) continue;
    for (const Column& column : columns_) {
      column.packer.Pack(batch.column(column.record), static_cast<int64_t>(row), packed_);
      places_.push_back({column.slot, row, packed_.size()});
    }
  }
  size_t begin = 0;
  for (const Place& place : places_) {
    builder.SetText(place.slot, place.row, std::string_view(packed_).substr(begin, place.end - begin));
    begin = place.end;
  }
}

}  // namespace logquery::store
