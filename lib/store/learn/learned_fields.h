// Undeclared fields of rows as columns of a log's table: their names, and how queries see them among the declared
// fields. The declared STRUCT never changes, because adding a field to it would rewrite the whole column.
//
//   "metadata.request.colo"          a learned value, named by its path
//   "metadata.request.colo:STRING"   the same, widened. A column never changes its type under one name, so that a query
//                                    planned earlier fails and is planned again instead of reading something else
//   "?metadata.extra"                whether an undeclared record is present: BOOL, never NULL
//
// In the parts of a name, `.`, `:` and `\` are escaped by `\`.
#ifndef LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_
#define LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/store/tables/table_layout.h"

namespace logquery::store {

// Per table, including presence columns; further fields stay in kUndeclaredColumn.
inline constexpr size_t kMaxLearnedColumns = 200;
// BigQuery's limits on depth and length of names.
inline constexpr size_t kMaxLearnedDepth = 15;
inline constexpr size_t kMaxLearnedName = 300;

struct LearnedColumn {
  model::FieldPath path;
  std::string column;
  Type type;              // BOOL, INT64, FLOAT64, STRING, or an ARRAY of these
  bool presence = false;  // of the record at `path`
};

// Returns whether queries can use the name for a field, and a column may be named after it. Readers of the log from all
// projects see such names, so a name that contains an IP or e-mail address is not learned. `top_level`: the field is
// not in a record.
bool IsLearnableName(std::string_view name, bool top_level);

// Returns the name of the column, not widened, for what is learned at `path`.
std::string LearnedColumnName(const model::FieldPath& path, bool presence);

// Returns the type with this name, in the form of Type::ToString; nullopt: learned columns can't have it.
std::optional<Type> LearnedType(std::string_view name);

// Adds the fields to the columns that queries see.
void AddLearned(const std::vector<LearnedColumn>& learned, Table* table);

// Returns `declared` with the learned columns, and with the fields that queries see.
TableLayout WithLearned(const TableLayout& declared, const std::vector<LearnedColumn>& learned);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_
