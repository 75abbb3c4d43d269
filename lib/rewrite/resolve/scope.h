// The names that an expression can see: columns and range variables, and those of enclosing queries.
//
// Source: GoogleSQL's "Range variables" and "Scope of names". A range variable hides a column with its name; two
// columns with one name are ambiguous; names that an inner query does not have are looked up in the outer ones.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_SCOPE_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_SCOPE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// A name of a column, of a field of a STRUCT column (such as the fields of an unnested record), or of a SELECT list's
// alias.
struct VisibleName {
  std::string name;
  PlanColumn column;
  int field = -1;
  const Scalar* value = nullptr;  // the alias's value; borrowed
  // For a record whose row may be absent: the column that is NULL in that case. The record is then read as an ARRAY
  // that is NULL with its row, because a record itself can only be empty.
  std::optional<PlanColumn> row = std::nullopt;

  Type type() const {
    if (value != nullptr) return value->type;
    const Type& stored = field < 0 ? column.type : column.type.fields()[field].type;
    return row ? Type::Array(stored.element()) : stored;
  }
};

struct RangeVariable {
  std::string name;
  std::optional<PlanColumn> value;   // the whole value, for an alias of an UNNEST or of a value table
  std::vector<VisibleName> columns;  // otherwise: its columns
};

class Scope {
 public:
  explicit Scope(const Scope* outer) : outer_(outer) {}

  std::vector<VisibleName> columns;  // the columns of `*`, in order
  std::vector<RangeVariable> ranges;

  struct Found {
    const VisibleName* column = nullptr;
    const RangeVariable* range = nullptr;
    bool ambiguous = false;
    bool outer = false;  // found in an enclosing scope
    explicit operator bool() const { return column != nullptr || range != nullptr || ambiguous; }
  };
  // Looks the name up in this scope, then in the enclosing scopes from the inside out.
  Found Find(std::string_view name) const;
  // Searches this scope only.
  Found FindHere(std::string_view name) const;
  // The range variables that have a column or a field of this name, in order, in the scope in which Find finds it. A table
  // without an alias is a range variable of its own name; a subquery may have none.
  std::vector<std::string> RangesWith(std::string_view name) const;

  // Appends the names of another scope of the same FROM clause.
  void Append(Scope other);
  // Adds a column without a range variable.
  void AddColumn(const PlanColumn& column) { columns.push_back({column.name, column}); }

  const Scope* outer() const { return outer_; }
  // Returns all names that Find can find, for suggestions.
  std::vector<std::string> Names() const;

 private:
  const Scope* outer_;
};

// Returns the names of a value of this type: the fields of a STRUCT, otherwise `name`.
std::vector<VisibleName> NamesOfValue(const PlanColumn& value, const std::string& name);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_SCOPE_H_
