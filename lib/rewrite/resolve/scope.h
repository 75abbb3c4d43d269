// The names that an expression can see: columns, range variables, and, around them, those of the queries it stands in.
//
// Source: GoogleSQL's "Range variables" and "Scope of names". A range variable hides a column of its name; two columns of
// one name are ambiguous; what an inner query does not know is looked for in the outer ones.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_SCOPE_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_SCOPE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// A name for a column, for a field of a column that holds a STRUCT (an unnested record's fields are visible so), or for
// what a SELECT list's alias stands for.
struct VisibleName {
  std::string name;
  PlanColumn column;
  int field = -1;
  const Scalar* value = nullptr;  // of an alias; borrowed
  // For a record of a row that may not be there: the column that is NULL then. It is read as an ARRAY, which is NULL with
  // its row; the record itself could only be empty.
  std::optional<PlanColumn> row = std::nullopt;

  Type type() const {
    if (value != nullptr) return value->type;
    const Type& stored = field < 0 ? column.type : column.type.fields()[field].type;
    return row ? Type::Array(stored.element()) : stored;
  }
};

struct RangeVariable {
  std::string name;
  std::optional<PlanColumn> value;   // the alias of an UNNEST or of a value table: the whole value
  std::vector<VisibleName> columns;  // otherwise: its columns
};

class Scope {
 public:
  explicit Scope(const Scope* outer) : outer_(outer) {}

  std::vector<VisibleName> columns;  // what `*` gives, in order
  std::vector<RangeVariable> ranges;

  struct Found {
    const VisibleName* column = nullptr;
    const RangeVariable* range = nullptr;
    bool ambiguous = false;
    bool outer = false;  // not in this scope but in one around it
    explicit operator bool() const { return column != nullptr || range != nullptr || ambiguous; }
  };
  // The name in this scope, or else in the nearest one around it that knows it.
  Found Find(std::string_view name) const;
  // In this scope only.
  Found FindHere(std::string_view name) const;

  // Adds the names of another scope of the same FROM clause behind those that are there.
  void Append(Scope other);
  // A column that is only found by its name.
  void AddColumn(const PlanColumn& column) { columns.push_back({column.name, column}); }

  const Scope* outer() const { return outer_; }
  // All names that Find could find, for suggestions.
  std::vector<std::string> Names() const;

 private:
  const Scope* outer_;
};

// Names of a value of that type: its fields where it is a STRUCT, else `name` itself.
std::vector<VisibleName> NamesOfValue(const PlanColumn& value, const std::string& name);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_SCOPE_H_
