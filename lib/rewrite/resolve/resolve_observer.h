// Receives what the resolver finds out about the nodes of a syntax tree: the types of expressions, and where the columns
// of a FROM clause come from. For tools that change a tree and need its types.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_OBSERVER_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_OBSERVER_H_

#include <string>
#include <vector>

#include "lib/rewrite/plan.h"
#include "lib/sql/ast.h"

namespace logquery::rewrite {

class ResolveObserver {
 public:
  virtual ~ResolveObserver() = default;

  // The scalar is borrowed for the call. An expression may be reported more than once.
  virtual void OnExpr(const sql::Expr& expr, const Scalar& scalar) = 0;
  // A table, or an entry of a WITH clause, with the columns that this item makes. `entry` is the entry's name, empty for
  // a table; `of_endpoint`: the entry is one of the definition that a caller's query reads.
  virtual void OnRows(const sql::FromItem& item, const std::string& entry, bool of_endpoint,
                      const std::vector<PlanColumn>& columns) = 0;
  // An array that the item reads: elements[i] are those of arrays[i].
  virtual void OnUnnest(const sql::FromItem& item, const Unnest& unnest) = 0;
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVE_OBSERVER_H_
