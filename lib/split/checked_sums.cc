// The Project defines the columns that the Aggregate defined, so nothing above changes.
#include "lib/split/checked_sums.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::split {
namespace {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::ColumnRef;
using rewrite::PlanColumn;
using rewrite::ScalarPtr;

bool IsOfInt64(const AggregateCall& call, std::string_view function) {
  return call.overload->row->name == function && call.arguments.size() == 1 &&
         call.arguments[0]->type.is(TypeKind::kInt64) && !call.safe;
}

// The call with another function, which has the same parameters.
AggregateCall CallOf(std::string_view function, const AggregateCall& call) {
  AggregateCall made = rewrite::CloneCall(call);
  for (const rewrite::Overload& overload : rewrite::FindFunction(function)->overloads) {
    if (overload.parameters.size() == 1) made.overload = &overload;
  }
  return made;
}

class Splitter {
 public:
  Splitter(const Aggregate& aggregate, rewrite::QueryPlan& plan) : plan_(plan) {
    made_ = std::make_unique<Aggregate>(nullptr);
    for (const rewrite::Computed& key : aggregate.keys) {
      made_->keys.push_back({key.column, rewrite::Clone(*key.value)});
      made_->columns.push_back(key.column);
    }
    for (const Aggregate::Call& each : aggregate.calls) Add(each);
  }

  rewrite::PlanPtr Take(const std::vector<PlanColumn>& columns) {
    if (checked_.empty()) return nullptr;
    auto project = std::make_unique<rewrite::Project>(std::move(made_));
    project->columns = columns;
    project->computed = std::move(checked_);
    return project;
  }

 private:
  void Add(const Aggregate::Call& each) {
    const bool is_average = IsOfInt64(each.call, "AVG");
    if (!is_average && !IsOfInt64(each.call, "SUM")) return Put(each.column, rewrite::CloneCall(each.call));
    const PlanColumn sum = plan_.NewColumn("", Type::String());
    Put(sum, CallOf("$exact_sum", each.call));
    std::vector<ScalarPtr> operands;
    operands.push_back(std::make_unique<ColumnRef>(sum));
    if (is_average) {
      const PlanColumn count = plan_.NewColumn("", Type::Int64());
      Put(count, CallOf("COUNT", each.call));
      operands.push_back(std::make_unique<ColumnRef>(count));
    }
    checked_.push_back({each.column, rewrite::MakeTypedCall(is_average ? "$average_of" : "$checked_sum",
                                                            each.column.type, std::move(operands))});
  }

  void Put(const PlanColumn& column, AggregateCall call) {
    made_->columns.push_back(column);
    made_->calls.push_back({column, std::move(call)});
  }

  rewrite::QueryPlan& plan_;
  std::unique_ptr<Aggregate> made_;
  std::vector<rewrite::Computed> checked_;
};

}  // namespace

rewrite::PlanPtr WithCheckedSums(const Aggregate& aggregate, rewrite::QueryPlan& plan) {
  if (!aggregate.grouping_sets.empty() || !aggregate.groupings.empty()) return nullptr;
  return Splitter(aggregate, plan).Take(aggregate.columns);
}

}  // namespace logquery::split
