// Fills DuckDB's chunks with parsed rows: writes values directly into its vectors, and does not copy long text.
//
// Text must live until the engine has consumed the rows. Not thread-safe.
#ifndef LOGQUERY_LIB_STORE_ROWS_CHUNK_BUILDER_H_
#define LOGQUERY_LIB_STORE_ROWS_CHUNK_BUILDER_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/rows/arena.h"
#include "lib/store/rows/row_plan.h"
#include "logquery/batch.h"

namespace logquery::store {

class ChunkBuilder {
 public:
  // `plan` is borrowed.
  explicit ChunkBuilder(const RowPlan* plan) : plan_(plan), slots_(plan->slot_count()) {}

  static uint64_t Capacity() { return duckdb_vector_size(); }

  // Starts filling `chunk`, which must be empty and start with the plan's columns. All values are NULL at first, and
  // all presence flags false.
  void Begin(duckdb_data_chunk chunk);
  // Resets the values of the row.
  void ClearRow(uint64_t row);

  void SetValid(int slot, uint64_t row) { slots_[slot].validity[row >> 6] |= uint64_t{1} << (row & 63); }
  bool IsValid(int slot, uint64_t row) const { return (slots_[slot].validity[row >> 6] >> (row & 63)) & 1; }

  // T must match the memory layout of the slot's type.
  template <typename T>
  void Set(int slot, uint64_t row, T value) {
    static_cast<T*>(slots_[slot].data)[row] = value;
    SetValid(slot, row);
  }
  template <typename T>
  T Get(int slot, uint64_t row) const {
    return static_cast<const T*>(slots_[slot].data)[row];
  }
  void SetText(int slot, uint64_t row, std::string_view text) { Set(slot, row, StringRef(text)); }

  // Starts the row's list. Each AddElement() then returns the row of an element, which is NULL until it is set.
  void BeginList(const FieldNode& list, uint64_t row);
  uint64_t AddElement(const FieldNode& list, uint64_t row);

  // Sets the chunk's size to `rows`.
  void Finish(uint64_t rows);

  // For generated text. Cleared by Begin().
  Arena& arena() { return arena_; }

 private:
  struct Slot {
    duckdb_vector vector = nullptr;
    void* data = nullptr;
    uint64_t* validity = nullptr;
    uint64_t elements = 0;  // for a list: elements in its child vector
    uint64_t capacity = 0;
  };

  void Bind(const FieldNode& node, duckdb_vector vector, bool in_list);
  void SetNull(const FieldNode& node, uint64_t row);

  const RowPlan* const plan_;
  duckdb_data_chunk chunk_ = nullptr;
  std::vector<Slot> slots_;
  Arena arena_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_CHUNK_BUILDER_H_
