// The resolver's state at one place of the query: relations and their names, WITH entries, and the aggregates of a
// SELECT.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_STATE_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_STATE_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/rewrite/plan.h"
#include "lib/rewrite/resolve/scope.h"

namespace logquery::rewrite {

// A relation with the names of its columns.
struct Named {
  PlanPtr plan;
  std::vector<VisibleName> columns;  // one for each output column, in order
  bool is_value_table = false;       // SELECT AS STRUCT / VALUE: its single column is the row
};

// A name of a WITH clause.
struct CteInfo {
  int id = 0;
  std::string name;
  std::vector<PlanColumn> columns;  // of the entry's plan
  bool is_value_table = false;
  bool of_endpoint = false;  // from the definition, while resolving a caller's text
  bool hidden = false;       // private to the endpoint's definition
};

// Aggregates and window functions of a SELECT, collected while its expressions are resolved.
struct SelectState {
  std::vector<Aggregate::Call> aggregates;
  std::vector<Aggregate::Grouping> groupings;
  std::vector<std::pair<PlanColumn, ScalarPtr>> grouping_arguments;  // GROUPING(expr), until the keys are known
  std::vector<Window::Call> windows;
  std::set<ColumnId> own;  // the calls' columns, which are never replaced by keys
  const std::vector<sql::Select::NamedWindow>* windows_named = nullptr;
};

// An alias of the SELECT list and its value, for GROUP BY, HAVING, QUALIFY and ORDER BY.
struct Alias {
  std::string name;
  const Scalar* value = nullptr;  // an expression on the FROM clause's columns
};

// The context of an expression.
struct ExprContext {
  const Scope* scope = nullptr;
  const char* clause = "";       // for errors
  SelectState* state = nullptr;  // nullptr: no aggregates or window functions here
  bool windows_allowed = false;
  const std::vector<Alias>* aliases = nullptr;  // take precedence over the scope
  bool inside_aggregate = false;
  const std::vector<sql::SelectItem>* later = nullptr;  // items whose aliases are not visible here; for errors
  bool beside_text = false;                             // the expression is compared with a STRING; for errors

  ExprContext Without() const { return {scope, clause, nullptr, false, nullptr, false, later}; }
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_STATE_H_
