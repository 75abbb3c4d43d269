// Binds slots to vectors recursively; lists are bound again when their vectors grow.
#include "lib/store/rows/chunk_builder.h"

namespace logquery::store {

void ChunkBuilder::Begin(duckdb_data_chunk chunk) {
  chunk_ = chunk;
  arena_.Clear();
  for (const FieldNode* list : plan_->lists()) slots_[list->slot] = Slot();
  const std::vector<StoredColumn>& stored = plan_->layout().columns;
  for (size_t i = 0; i < stored.size(); ++i) {
    const FieldNode& column = *plan_->columns()[i];
    Bind(column, duckdb_data_chunk_get_vector(chunk_, i), /*in_list=*/false);
    if (!stored[i].is_presence()) continue;
    Slot& slot = slots_[column.slot];
    std::memset(slot.data, 0, Capacity());
    std::memset(slot.validity, 0xff, Capacity() / 8);
  }
}

// The contents of a list are bound again whenever the list grows. Its rows so far keep their values.
void ChunkBuilder::Bind(const FieldNode& node, duckdb_vector vector, bool in_list) {
  Slot& slot = slots_[node.slot];
  slot.vector = vector;
  duckdb_vector_ensure_validity_writable(vector);
  slot.validity = duckdb_vector_get_validity(vector);
  if (!in_list) std::memset(slot.validity, 0, Capacity() / 8);
  // A learned record's vector is that of its presence.
  if (node.kind == FieldNode::Kind::kScalar || node.kind == FieldNode::Kind::kList || node.stored_fields == 0) {
    slot.data = duckdb_vector_get_data(vector);
    return;
  }
  for (size_t i = 0; i < node.stored_fields; ++i) {
    Bind(node.fields[i], duckdb_struct_vector_get_child(vector, i), in_list);
  }
}

void ChunkBuilder::ClearRow(uint64_t row) {
  const std::vector<StoredColumn>& stored = plan_->layout().columns;
  for (size_t i = 0; i < stored.size(); ++i) {
    const FieldNode& column = *plan_->columns()[i];
    if (stored[i].is_presence()) {
      static_cast<bool*>(slots_[column.slot].data)[row] = false;
    } else {
      SetNull(column, row);
    }
  }
}

void ChunkBuilder::SetNull(const FieldNode& node, uint64_t row) {
  slots_[node.slot].validity[row >> 6] &= ~(uint64_t{1} << (row & 63));
  // A list's elements have rows of their own.
  if (node.kind == FieldNode::Kind::kList) return;
  for (size_t i = 0; i < node.stored_fields; ++i) SetNull(node.fields[i], row);
}

void ChunkBuilder::BeginList(const FieldNode& list, uint64_t row) {
  Set(list.slot, row, ListSlice{slots_[list.slot].elements, 0});
}

uint64_t ChunkBuilder::AddElement(const FieldNode& list, uint64_t row) {
  Slot& slot = slots_[list.slot];
  const FieldNode& element = list.fields[0];
  if (slot.elements == slot.capacity) {
    slot.capacity = slot.capacity == 0 ? Capacity() : 2 * slot.capacity;
    duckdb_list_vector_reserve(slot.vector, slot.capacity);
    Bind(element, duckdb_list_vector_get_child(slot.vector), /*in_list=*/true);
  }
  const uint64_t element_row = slot.elements++;
  SetNull(element, element_row);
  ++static_cast<ListSlice*>(slot.data)[row].length;
  return element_row;
}

void ChunkBuilder::Finish(uint64_t rows) {
  for (const FieldNode* list : plan_->lists()) {
    duckdb_list_vector_set_size(slots_[list->slot].vector, slots_[list->slot].elements);
  }
  duckdb_data_chunk_set_size(chunk_, rows);
}

}  // namespace logquery::store
