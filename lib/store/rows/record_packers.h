// Fills the columns of packed records (table_layout.h) in a chunk of parsed rows.
#ifndef LOGQUERY_LIB_STORE_ROWS_RECORD_PACKERS_H_
#define LOGQUERY_LIB_STORE_ROWS_RECORD_PACKERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/backend/packed_records.h"
#include "lib/backend/record_dictionary.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/result_view.h"
#include "lib/store/rows/chunk_builder.h"
#include "lib/store/rows/log_dictionary.h"
#include "lib/store/rows/rare_projects.h"
#include "lib/store/rows/row_plan.h"

namespace logquery::store {

// Belongs to one thread.
class RecordPackers {
 public:
  struct Options {
    // Records of rows from then on are packed, in microseconds since 1970, and those of rare projects' earlier rows: the other rows
    // of closed days are mostly rewritten soon, without packed records.
    int64_t first_day = 0;
    bool counts = false;  // `rare` counts the rows of each chunk here, which are about those of one time range
    LogDictionary* dictionary = nullptr;  // borrowed; nullptr: the packed records are not compressed
    LogDictionary::When when = {};        // for samples of it
  };

  // The pointers are borrowed.
  RecordPackers(const RowPlan* plan, RareProjects* rare, const Options& options);

  // Packs the first `rows` rows that `builder` has put into `chunk`. The bytes live until the next call.
  void Pack(duckdb_data_chunk chunk, uint64_t rows, ChunkBuilder& builder);

 private:
  struct Column {
    size_t record = 0;  // index of the record's column in a chunk
    int slot = -1;      // of the packed record
    backend::RecordPacker packer;
  };

  struct Place {
    int slot = -1;
    uint64_t row = 0;
    size_t begin = 0;  // its bytes in packed_
    size_t end = 0;
  };

  // Finds the rows to be packed.
  void FindRows(const ChunkBuilder& builder, uint64_t rows);
  // Returns the bytes, which move while more rows are packed.
  std::string_view PackedAt(const Place& place) const {
    return std::string_view(packed_).substr(place.begin, place.end - place.begin);
  }
  void OfferSamples(const ChunkBuilder& builder) const;
  // Replaces the packed records by compressed ones.
  void Compress();

  const RowPlan* const plan_;
  const Options options_;
  std::vector<Column> columns_;
  std::optional<duckdb::ResultView> view_;  // of a chunk's stored columns; nullopt: no record is packed
  RareProjects* const rare_;
  // The chunk's rows to be packed, and its rows of closed days.
  std::vector<bool> packs_;  // by row
  std::vector<RareProjects::Row> closed_;
  std::vector<uint64_t> closed_places_;  // for each of closed_, its row
  std::string packed_;
  std::vector<Place> places_;
  backend::RecordCompressor compressor_;
  std::string compressed_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_RECORD_PACKERS_H_
