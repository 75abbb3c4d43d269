// Points column views at DuckDB's vectors, and widens decimals of fewer than 128 bits into memory of its own.
#include "lib/engines/duckdb/backend/result_view.h"

#include <cstddef>
#include <utility>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"

namespace logquery::duckdb {
namespace {

// Our views read DuckDB's vectors as they are.
static_assert(sizeof(StringRef) == sizeof(duckdb_string_t) && offsetof(StringRef, bytes) == 4);
static_assert(offsetof(duckdb_string_t, value.pointer.ptr) == 8 &&
              offsetof(duckdb_string_t, value.inlined.inlined) == 4);
static_assert(sizeof(ListSlice) == sizeof(duckdb_list_entry) &&
              offsetof(ListSlice, length) == offsetof(duckdb_list_entry, length));
static_assert(sizeof(Int128) == sizeof(duckdb_hugeint) && offsetof(Int128, upper) == offsetof(duckdb_hugeint, upper));
static_assert(sizeof(PackedInterval) == sizeof(duckdb_interval) &&
              offsetof(PackedInterval, days) == offsetof(duckdb_interval, days) &&
              offsetof(PackedInterval, micros) == offsetof(duckdb_interval, micros));
static_assert(sizeof(duckdb_date) == sizeof(int32_t) && sizeof(duckdb_timestamp) == sizeof(int64_t));
static_assert(sizeof(bool) == sizeof(uint8_t));

template <typename T>
void Widen(const void* data, int64_t rows, std::vector<Int128>& out) {
  const T* numbers = static_cast<const T*>(data);
  out.resize(rows);
  for (int64_t row = 0; row < rows; ++row) {
    out[row].lower = static_cast<uint64_t>(int64_t{numbers[row]});
    out[row].upper = numbers[row] < 0 ? -1 : 0;
  }
}

const void* WidenDecimals(duckdb_type storage, const void* data, int64_t rows, std::vector<Int128>& out) {
  switch (storage) {
    case DUCKDB_TYPE_SMALLINT:
      Widen<int16_t>(data, rows, out);
      break;
    case DUCKDB_TYPE_INTEGER:
      Widen<int32_t>(data, rows, out);
      break;
    case DUCKDB_TYPE_BIGINT:
      Widen<int64_t>(data, rows, out);
      break;
    default:
      return data;
  }
  return out.data();
}

}  // namespace

absl::StatusOr<ResultView> ResultView::Create(const Schema& schema, duckdb_result* result) {
  if (duckdb_column_count(result) != schema.size()) {
    return absl::InternalError(base::StrCat("the result should have ", base::Counted(schema.size(), "column"), ", has ",
                                            static_cast<uint64_t>(duckdb_column_count(result))));
  }
  ResultView view;
  for (size_t i = 0; i < schema.size(); ++i) {
    const TypeHandle actual(duckdb_column_logical_type(result, i));
    LOGQUERY_RETURN_IF_ERROR(CheckLayout(schema[i].type, actual.get(), schema[i].name));
    view.nodes_.push_back(MakeNode(schema[i].type, actual.get()));
  }
  view.columns_.resize(schema.size());
  return view;
}

ResultView ResultView::OfChunks(const Schema& schema, const std::vector<duckdb_logical_type>& types) {
  ResultView view;
  for (size_t i = 0; i < schema.size(); ++i) view.nodes_.push_back(MakeNode(schema[i].type, types[i]));
  view.columns_.resize(schema.size());
  return view;
}

ResultView::Node ResultView::MakeNode(const Type& type, duckdb_logical_type actual) {
  Node node;
  node.type = type;
  switch (duckdb_get_type_id(actual)) {
    case DUCKDB_TYPE_DECIMAL:
      node.scale = duckdb_decimal_scale(actual);
      node.decimal_storage = duckdb_decimal_internal_type(actual);
      break;
    case DUCKDB_TYPE_LIST:
      node.parts.push_back(MakeNode(type.element(), TypeHandle(duckdb_list_type_child_type(actual)).get()));
      break;
    case DUCKDB_TYPE_STRUCT:
      for (size_t i = 0; i < type.fields().size(); ++i) {
        node.parts.push_back(
            MakeNode(type.fields()[i].type, TypeHandle(duckdb_struct_type_child_type(actual, i)).get()));
      }
      break;
    default:
      break;
  }
  node.part_views.resize(node.parts.size());
  return node;
}

Batch ResultView::Lay(duckdb_data_chunk chunk, int64_t rows) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    columns_[i] = LayNode(nodes_[i], duckdb_data_chunk_get_vector(chunk, i), rows);
  }
  return Batch(columns_.data(), columns_.size(), rows);
}

ColumnView ResultView::LayNode(Node& node, duckdb_vector vector, int64_t rows) {
  const uint64_t* validity = duckdb_vector_get_validity(vector);
  const void* data = nullptr;
  if (node.type.is_struct() || node.type.is_record()) {
    for (size_t i = 0; i < node.parts.size(); ++i) {
      node.part_views[i] = LayNode(node.parts[i], duckdb_struct_vector_get_child(vector, i), rows);
    }
  } else {
    data = duckdb_vector_get_data(vector);
    if (node.type.is_array()) {
      node.part_views[0] = LayNode(node.parts[0], duckdb_list_vector_get_child(vector),
                                   static_cast<int64_t>(duckdb_list_vector_get_size(vector)));
    } else if (node.decimal_storage != DUCKDB_TYPE_INVALID) {
      data = WidenDecimals(node.decimal_storage, data, rows, node.widened);
    }
  }
  return ColumnView(&node.type, validity, data, node.part_views.data(), node.scale);
}

}  // namespace logquery::duckdb
