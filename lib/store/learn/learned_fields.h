// Undeclared fields of rows as columns of a log's table: their names, and how queries see them among the declared
// fields. The declared STRUCT never changes, because adding a field to it would rewrite the whole column.
//
//   "metadata.request.colo"          a learned value, named by its path
//   "metadata.request.colo:STRING"   the same path in rows of a project that has values of another type there
//   "?metadata.extra"                whether an undeclared record is present: BOOL, never NULL
//
// In the parts of a name, `.`, `:` and `\` are escaped by `\`. A column never changes its type.
//
// Each project has the fields that its own rows taught, with the types of its own values: rows of others change neither
// what its queries can name nor what they get. Projects share a column where path and type are the same. Fields that a
// schema file declares are every project's.
#ifndef LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_
#define LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/store/tables/table_layout.h"

namespace logquery::store {

// Per table, including presence columns, without those that a schema file declares; further fields stay in
// kUndeclaredColumn. A file may declare as many.
inline constexpr size_t kMaxLearnedColumns = 200;
// The number of learned fields that one project may have, and the number for rows that name no project. With these
// limits none can take all.
inline constexpr size_t kMaxLearnedOfProject = 50;
inline constexpr size_t kMaxLearnedOfNoProject = 100;
// The number of a table's columns that the rows of one token may teach, in all projects together and in one: it leaves some to
// other tokens.
inline constexpr size_t kMaxLearnedOfToken = 80;
inline constexpr size_t kMaxLearnedOfTokenInProject = 40;
// BigQuery's limits on depth and length of names.
inline constexpr size_t kMaxLearnedDepth = 15;
inline constexpr size_t kMaxLearnedName = 300;

struct LearnedColumn {
  model::FieldPath path;
  std::string column;
  Type type;              // BOOL, INT64, FLOAT64, STRING, or an ARRAY of these
  bool presence = false;  // of the record at `path`
};

// A table's learned columns, and for which projects they stand.
struct LearnedTable {
  std::vector<LearnedColumn> columns;  // in the order in which they were made
  // Indexes of `columns`. Every project sees the fields that a schema file declares, in `declared`, and those that an
  // older folder has learned without a record of the project.
  std::vector<size_t> everyones;
  std::vector<size_t> declared;
  // By project, in the order in which its rows taught them; an empty name stands for rows without a project.
  std::map<std::string, std::vector<size_t>, std::less<>> taught;
  // By token: the fields that its rows were the first of their project to teach. Rows of files have no token, and are not here.
  struct Lesson {
    std::string project;
    size_t column = 0;
  };
  std::map<std::string, std::vector<Lesson>, std::less<>> lessons;
  // Columns that a declaration of another type has replaced. They keep the values that it can't hold.
  std::vector<size_t> superseded;

  // Returns the number of columns that count against kMaxLearnedColumns.
  size_t counted() const { return columns.size() - declared.size() - superseded.size(); }
};

// Returns whether queries can use the name for a field, and a column may be named after it. Readers of the log from all
// projects see such names, so a name that contains an IP or e-mail address is not learned. `top_level`: the field is
// not in a record.
bool IsLearnableName(std::string_view name, bool top_level);

// Returns the name of the column, not widened, for what is learned at `path`.
std::string LearnedColumnName(const model::FieldPath& path, bool presence);

// Returns the type with this name, in the form of Type::ToString; nullopt: learned columns can't have it.
std::optional<Type> LearnedType(std::string_view name);

// Returns how many learned columns of the table the project may have; an empty name stands for rows without a project. A table
// without projects has one budget.
size_t LearnedShareOf(const Table& table, std::string_view project);

// Returns the learned columns as queries for rows of this project see them; nullopt: for rows of all projects. Where paths
// collide, in type or in letter case, the earlier column stands and the later one is left out.
std::vector<LearnedColumn> VisibleTo(const LearnedTable& learned, std::optional<std::string_view> project);

// Adds the fields to the columns that queries see.
void AddLearned(const std::vector<LearnedColumn>& learned, Table* table);

// Returns `declared` with all learned columns, and with the fields that queries for rows of all projects see.
TableLayout WithLearned(const TableLayout& declared, const LearnedTable& learned);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_FIELDS_H_
