// Fields that rows have beyond the declared ones, as columns of a log's table: which names they have, and how they show among
// the declared fields. The declared STRUCT never changes, as a field more in it means writing the whole column anew.
//
//   "metadata.request.colo"          a learned value, under its path
//   "metadata.request.colo:STRING"   the same, widened: no column ever changes its type under its name, so that a query which
//                                    was planned before fails, and is planned again, in place of reading something else
//   "?metadata.extra"                whether a record that is not declared is there: BOOL, never NULL
//
// In a name's parts `.`, `:` and `\` stand behind a `\`.
#ifndef LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_
#define LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/store/tables/table_layout.h"

namespace logquery::store {

// Of one table, those of records' presence counted too: what there is more of stays in kUndeclaredColumn.
inline constexpr size_t kMaxLearnedColumns = 200;
// As deep, and names as long, as BigQuery has them.
inline constexpr size_t kMaxLearnedDepth = 15;
inline constexpr size_t kMaxLearnedName = 300;

struct LearnedColumn {
  model::FieldPath path;
  std::string column;
  Type type;              // BOOL, INT64, FLOAT64, STRING, or an ARRAY of these
  bool presence = false;  // of the record at `path`
};

// Whether queries can name a field so, and a column may be named after it: the name is then seen by whoever reads the log, of
// any project, so one that holds an IP or e-mail address is not learned. `top_level`: it is no field of a record.
bool IsLearnableName(std::string_view name, bool top_level);

// The column of what is learned at `path`, not widened.
std::string LearnedColumnName(const model::FieldPath& path, bool presence);

// The type of that name, as Type::ToString gives it; nullopt: nothing learned has such a type.
std::optional<Type> LearnedType(std::string_view name);

// Adds the fields to what queries see.
void AddLearned(const std::vector<LearnedColumn>& learned, Table* table);

// `declared` with the columns added, and with what queries see of them.
TableLayout WithLearned(const TableLayout& declared, const std::vector<LearnedColumn>& learned);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_
