// The state of a SELECT while it is resolved, shared by resolve_select.cc, resolve_group_by.cc and resolve_pipe.cc.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_SELECT_PARTS_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_SELECT_PARTS_H_

#include <string>
#include <vector>

#include "lib/rewrite/resolve/resolver_impl.h"

namespace logquery::rewrite {

// The resolved clauses of a SELECT, from which FinishSelect builds the plan.
struct Resolver::SelectParts {
  struct Item {
    std::string name;
    ScalarPtr value;
  };
  struct Order {
    int item = -1;     // an item of the SELECT list, or
    ScalarPtr hidden;  // an expression that is not in the list
    OrderKey key;      // without value
  };
  explicit SelectParts(const Scope* outer) : from{nullptr, Scope(outer)} {}

  FromResult from;
  ColumnSet from_columns;
  SelectState state;
  std::vector<Item> items;
  std::vector<Alias> aliases;
  std::vector<Computed> keys;
  ColumnSet shown_keys;  // keys that GROUP BY names by an alias or position of the SELECT list
  std::vector<std::vector<int>> grouping_sets;
  bool aggregated = false;
  ScalarPtr having;
  ScalarPtr qualify;
  std::vector<Order> order;

  // Returns the context for clauses after the SELECT list, which see the list's aliases.
  ExprContext Context(const char* clause, bool windows) {
    return {&from.scope, clause, &state, windows, &aliases, false};
  }
};

// The state of a pipe query between two operators.
struct Resolver::PipeState {
  FromResult from;
  std::optional<PlanColumn> value;  // for a value table: the row
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_SELECT_PARTS_H_
