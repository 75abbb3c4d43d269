// The evaluator's object. Its files are: evaluator.cc (nodes), evaluator_scalars.cc, evaluator_aggregates.cc,
// evaluator_windows.cc. The first error is kept in status_; evaluation goes on with NULLs, and Run returns the error.
#ifndef LOGQUERY_TESTS_ORACLE_EVALUATOR_IMPL_H_
#define LOGQUERY_TESTS_ORACLE_EVALUATOR_IMPL_H_

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "lib/rewrite/plan_walk.h"
#include "tests/oracle/evaluator.h"

namespace logquery::oracle {

class Evaluator {
 public:
  Evaluator(const rewrite::QueryPlan& query, const Tables& tables, const rewrite::ParameterValues& parameters)
      : query_(query), tables_(tables), parameters_(parameters), at_(static_cast<size_t>(query.next_column)) {}

  absl::StatusOr<Rows> Run();

 private:
  using Columns = std::vector<rewrite::PlanColumn>;
  using RowRefs = std::vector<const Row*>;

  // evaluator.cc: the rows of a node, whose values are in the order of its columns.
  Rows RowsOf(const rewrite::Plan& plan);
  Rows Scan(const rewrite::TableScan& scan);
  Rows Project(const rewrite::Project& project);
  Rows Filter(const rewrite::Filter& filter);
  Rows Join(const rewrite::Join& join);
  Rows Unnest(const rewrite::Unnest& unnest);
  Rows SetOperation(const rewrite::SetOperationPlan& operation);
  Rows Sort(const rewrite::Sort& sort);
  Rows Limit(const rewrite::Limit& limit);
  // Makes the row's values those of the columns, for Scalar.
  void Bind(const Columns& columns, const Row& row);
  Value Fail(absl::Status status);

  // evaluator_scalars.cc: the value for the rows that are bound.
  Value Scalar(const rewrite::Scalar& scalar);
  Value Subquery(const rewrite::SubqueryScalar& subquery);
  bool IsCorrelated(const rewrite::Plan& plan);
  bool IsTrue(const rewrite::Scalar& condition);
  int64_t Count(const rewrite::Scalar& scalar);
  std::vector<Value> Scalars(const std::vector<rewrite::ScalarPtr>& scalars);
  std::vector<Value> Keys(const std::vector<rewrite::OrderKey>& keys);
  static int OrderOf(const std::vector<rewrite::OrderKey>& keys, const std::vector<Value>& a,
                     const std::vector<Value>& b);

  // evaluator_aggregates.cc
  Rows Aggregate(const rewrite::Aggregate& aggregate);
  Value AggregateOf(const rewrite::AggregateCall& call, const Type& type, const Columns& columns, const RowRefs& rows);

  // evaluator_windows.cc
  struct Partition;
  Rows Window(const rewrite::Window& window);
  std::vector<Value> WindowValues(const rewrite::Window::Call& call, const Columns& columns, const Rows& rows);
  Value WindowValue(const rewrite::Window::Call& call, const Columns& columns, const Partition& partition,
                    size_t place);
  std::pair<size_t, size_t> FrameOf(const rewrite::Window::Call& call, const Columns& columns,
                                    const Partition& partition, size_t place);
  Value ValueOfFrame(const rewrite::Window::Call& call, const Columns& columns, const Partition& partition,
                     std::pair<size_t, size_t> frame);

  const rewrite::QueryPlan& query_;
  const Tables& tables_;
  const rewrite::ParameterValues& parameters_;
  absl::Status status_;
  std::vector<const Value*> at_;  // by column id: the value in the row that is bound
  std::map<int, Rows> entries_;   // WITH entries, by id
  std::set<int> fixed_entries_;   // those outside of subqueries
  int depth_ = 0;                 // of subqueries
  std::map<const rewrite::Plan*, bool> correlated_;
  std::map<const rewrite::Plan*, Rows> fixed_rows_;  // of subqueries that are the same for all rows
};

}  // namespace logquery::oracle

#endif  // LOGQUERY_TESTS_ORACLE_EVALUATOR_IMPL_H_
