// A SELECT between its resolved clauses and the nodes of the plan: what resolve_select.cc, resolve_group_by.cc and
// resolve_pipe.cc share.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_SELECT_PARTS_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_SELECT_PARTS_H_

#include <string>
#include <vector>

#include "lib/rewrite/resolve/resolver_impl.h"

namespace logquery::rewrite {

// A SELECT on its way: what each clause has become, until FinishSelect puts the nodes together.
struct Resolver::SelectParts {
  struct Item {
    std::string name;
    ScalarPtr value;
  };
  struct Order {
    int item = -1;     // the SELECT list's item, or
    ScalarPtr hidden;  // an expression that is not in it
    OrderKey key;      // without value
  };
  explicit SelectParts(const Scope* outer) : from{nullptr, Scope(outer)} {}

  FromResult from;
  ColumnSet from_columns;
  SelectState state;
  std::vector<Item> items;
  std::vector<Alias> aliases;
  std::vector<Computed> keys;
  ColumnSet shown_keys;  // of these, what GROUP BY names by the SELECT list's alias or place
  std::vector<std::vector<int>> grouping_sets;
  bool aggregated = false;
  ScalarPtr having;
  ScalarPtr qualify;
  std::vector<Order> order;

  // Of an expression behind the SELECT list, which sees the list's aliases.
  ExprContext Context(const char* clause, bool windows) {
    return {&from.scope, clause, &state, windows, &aliases, false};
  }
};

// A query of pipe syntax between two of its operators.
struct Resolver::PipeState {
  FromResult from;
  std::optional<PlanColumn> value;  // of a value table: the row
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_SELECT_PARTS_H_
