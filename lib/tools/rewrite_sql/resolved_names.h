// The resolver's findings about a GoogleSQL query: the type of each expression, and of which log and field a name is.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_RESOLVED_NAMES_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_RESOLVED_NAMES_H_

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lib/rewrite/resolve/resolve_observer.h"

namespace logquery::tools {

// Where a value is read: a column of a FROM item, or a field below it.
struct NameSource {
  const sql::FromItem* item = nullptr;
  std::string column;               // of the item; empty: an element of the array that it unnests
  std::vector<std::string> fields;  // below the column

  friend bool operator==(const NameSource&, const NameSource&) = default;
};

// A FROM item that reads rows.
struct RowsOf {
  std::string entry;         // a WITH entry's name; empty: a subquery
  bool of_endpoint = false;  // the entry is a log
  std::vector<rewrite::PlanColumn> columns;
};

class ResolvedNames : public rewrite::ResolveObserver {
 public:
  void OnExpr(const sql::Expr& expr, const rewrite::Scalar& scalar) override;
  void OnRows(const sql::FromItem& item, const std::string& entry, bool of_endpoint,
              const std::vector<rewrite::PlanColumn>& columns) override;
  void OnUnnest(const sql::FromItem& item, const rewrite::Unnest& unnest) override;

  // nullptr: the expression was not resolved.
  const Type* TypeOf(const sql::Expr& expr) const;
  // nullopt: it is more than a name, or the name of an alias of a computed value.
  std::optional<NameSource> SourceOf(const sql::Expr& expr) const;
  const RowsOf* RowsOfItem(const sql::FromItem& item) const;
  // The array that the item reads, if that is stored; nullopt: it is computed, or there are several.
  std::optional<NameSource> ArrayOf(const sql::FromItem& item) const;
  // Whether the item's array is a record, which has one element or none.
  bool IsRecord(const sql::FromItem& item) const;

 private:
  struct Path {
    rewrite::ColumnId root = 0;
    std::vector<std::string> fields;
  };
  struct Column {
    const sql::FromItem* item = nullptr;
    std::string name;
    std::optional<Path> record;  // of an element of a record: the record
  };
  // Followed at once: a query's columns may have the ids of those below it.
  struct Fact {
    Type type;
    std::optional<NameSource> source;
  };
  static std::optional<Path> PathOf(const rewrite::Scalar& scalar);
  std::optional<NameSource> Follow(std::optional<Path> path) const;

  std::unordered_map<const sql::Expr*, Fact> exprs_;
  std::unordered_map<rewrite::ColumnId, Column> columns_;
  std::unordered_map<const sql::FromItem*, RowsOf> rows_;
  struct Array {
    std::optional<NameSource> source;
    bool is_record = false;
  };
  std::unordered_map<const sql::FromItem*, Array> arrays_;
};

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_RESOLVED_NAMES_H_
