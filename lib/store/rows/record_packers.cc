// Packs all rows of a chunk first, and then points to their bytes, which move while they grow.
#include "lib/store/rows/record_packers.h"

#include <limits>
#include <memory>
#include <string_view>

#include "lib/engines/duckdb/backend/engine_types.h"

namespace logquery::store {

RecordPackers::RecordPackers(const RowPlan* plan, RareProjects* rare, const Options& options)
    : plan_(plan), options_(options), rare_(rare) {
  // A row of no time, or of the latest there is, is in no window of the newest rows.
  if (plan_->time() == nullptr || options_.first_day == std::numeric_limits<int64_t>::max()) return;
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
    packs_[row] = at >= options_.first_day;
    if (packs_[row] || project == nullptr || !builder.IsValid(project->slot, row)) continue;
    closed_.push_back({builder.Get<StringRef>(project->slot, row), at});
    closed_places_.push_back(row);
  }
  if (options_.counts) rare_->Count(closed_);
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
      const size_t begin = packed_.size();
      column.packer.Pack(batch.column(column.record), static_cast<int64_t>(row), packed_);
      places_.push_back({column.slot, row, begin, packed_.size()});
    }
  }
  if (options_.dictionary != nullptr && !places_.empty()) {
    if (options_.dictionary->wants_samples(options_.when)) OfferSamples(builder);
    Compress();
  }
  for (const Place& place : places_) builder.SetText(place.slot, place.row, PackedAt(place));
}

void RecordPackers::OfferSamples(const ChunkBuilder& builder) const {
  const int time = plan_->time()->slot;
  const FieldNode* const project = plan_->project();
  std::vector<LogDictionary::Sample> samples;
  for (const Place& place : places_) {
    LogDictionary::Sample& sample = samples.emplace_back();
    if (project != nullptr && builder.IsValid(project->slot, place.row)) {
      sample.project = builder.Get<StringRef>(project->slot, place.row);
    }
    sample.time = builder.Get<int64_t>(time, place.row);
    sample.packed = PackedAt(place);
  }
  options_.dictionary->Offer(samples, options_.when);
}

void RecordPackers::Compress() {
  const std::shared_ptr<const backend::RecordDictionary> dictionary = options_.dictionary->current();
  if (dictionary == nullptr) return;
  compressed_.clear();
  for (Place& place : places_) {
    const size_t begin = compressed_.size();
    compressor_.Compress(*dictionary, PackedAt(place), compressed_);
    place.begin = begin;
    place.end = compressed_.size();
  }
  packed_.swap(compressed_);
}

}  // namespace logquery::store
