// What the resolver knows of the place that it is at: relations and their names, WITH entries, and what a SELECT has gathered.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_STATE_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_STATE_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/rewrite/plan.h"
#include "lib/rewrite/resolve/scope.h"

namespace logquery::rewrite {

// A relation with the names that its columns have.
struct Named {
  PlanPtr plan;
  std::vector<VisibleName> columns;  // one for each output column, in order
  bool is_value_table = false;       // SELECT AS STRUCT / VALUE: one column, that is the row
};

// A name of a WITH clause.
struct CteInfo {
  int id = 0;
  std::string name;
  std::vector<PlanColumn> columns;  // of the entry's plan
  bool is_value_table = false;
  bool of_endpoint = false;  // of the definition, while the text is a caller's
  bool hidden = false;       // private to the endpoint's definition
};

// What a SELECT has gathered of its aggregates and window functions while its expressions are resolved.
struct SelectState {
  std::vector<Aggregate::Call> aggregates;
  std::vector<Aggregate::Grouping> groupings;
  std::vector<std::pair<PlanColumn, ScalarPtr>> grouping_arguments;  // GROUPING(expr), until the keys are known
  std::vector<Window::Call> windows;
  std::set<ColumnId> own;  // columns of the calls: never replaced by keys
  const std::vector<sql::Select::NamedWindow>* windows_named = nullptr;
};

// A SELECT list's alias and what it stands for; usable in GROUP BY, HAVING, QUALIFY, ORDER BY.
struct Alias {
  std::string name;
  const Scalar* value = nullptr;  // over the FROM clause's columns
};

// Where an expression stands.
struct ExprContext {
  const Scope* scope = nullptr;
  const char* clause = "";       // for errors
  SelectState* state = nullptr;  // nullptr: no aggregates or window functions here
  bool windows_allowed = false;
  const std::vector<Alias>* aliases = nullptr;  // looked at before the scope
  bool inside_aggregate = false;
  const std::vector<sql::SelectItem>* later = nullptr;  // whose aliases can't be seen here, for errors

  ExprContext Without() const { return {scope, clause, nullptr, false, nullptr, false, later}; }
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_STATE_H_
