// Walks a plan from its leaves upwards, and cuts it where the source's abilities end.
#include "lib/split/split.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"
#include "lib/split/ascii_case.h"
#include "lib/split/bare_powers.h"
#include "lib/split/checked_sums.h"
#include "lib/split/group_rows.h"
#include "lib/split/join_conditions.h"
#include "lib/split/narrow.h"
#include "lib/split/reasons.h"
#include "lib/split/unshare_entries.h"

namespace logquery::split {
namespace {

using base::StrAppend;
using base::StrCat;
using rewrite::As;
using rewrite::ColumnSet;
using rewrite::Filter;
using rewrite::If;
using rewrite::Limit;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanKind;
using rewrite::PlanPtr;
using rewrite::Project;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;
using rewrite::Sort;
using rewrite::TableScan;

// The type with what ToString does not tell: which arrays are records.
std::string LayoutOf(const Type& type) {
  if (type.is_record() || type.is_struct()) {
    std::string text = type.is_record() ? "RECORD<" : "STRUCT<";
    for (const Field& field : type.fields()) StrAppend(&text, field.name, " ", LayoutOf(field.type), ",");
    return text + ">";
  }
  return type.is_array() ? StrCat("ARRAY<", LayoutOf(type.element()), ">") : type.ToString();
}

class Splitter {
 public:
  Splitter(QueryPlan& plan, const emit::Powers& powers, Extent extent, SplitPlan& out)
      : plan_(plan), reasons_(powers), powers_(powers), extent_(extent), out_(out) {}

  absl::Status Run() {
    FindWorthy(plan_.root);
    LOGQUERY_ASSIGN_OR_RETURN(std::string why_not, Visit(plan_.root));
    if (why_not.empty()) LOGQUERY_RETURN_IF_ERROR(Cut(plan_.root, ""));
    plan_.newest.reset();
    if (extent_ == Extent::kBareScans) return Prune();
    LOGQUERY_RETURN_IF_ERROR(NarrowRecords(reasons_, scans_, tables_, plan_, out_.fragments));
    LOGQUERY_RETURN_IF_ERROR(rewrite::PruneColumns({}, plan_));
    GroupRows(reasons_, scans_, plan_, out_.fragments);
    return Prune();
  }

 private:
  // Returns an empty text if the source can run the whole plan, which then stays unchanged. Otherwise cuts off the
  // parts that the source can run, and returns why it can't run the whole.
  absl::StatusOr<std::string> Visit(PlanPtr& plan) {
    LOGQUERY_RETURN_IF_ERROR(VisitSubqueries(*plan));
    if (plan->kind == PlanKind::kTableScan) return CheckScan(As<TableScan>(*plan));
    std::vector<PlanPtr*> remote;
    std::string why_not;
    std::vector<PlanPtr*> inputs;
    rewrite::ForEachInput(*plan, [&](PlanPtr& input) { inputs.push_back(&input); });
    for (PlanPtr* const input : inputs) {
      LOGQUERY_ASSIGN_OR_RETURN(std::string reason, Visit(*input));
      if (reason.empty()) remote.push_back(input);
      if (why_not.empty()) why_not = std::move(reason);
    }
    if (plan->kind == PlanKind::kCteScan) return std::string("a WITH entry is kept here for all who read it");
    if (inputs.empty()) return std::string("SELECT without FROM is computed locally");
    if (why_not.empty()) {
      if (Filter* const filter = If<Filter>(plan.get())) return VisitFilter(*filter);
      why_not = reasons_.WhyNot(*plan);
      if (why_not.empty() && IsCostly(*plan) && !worthy_.contains(plan.get())) {
        const bool joins = plan->kind == PlanKind::kJoin;
        why_not = StrCat(joins ? "joined" : "numbered", " here, as all its rows are needed here");
      }
      if (why_not.empty()) return why_not;
      if (plan->kind == PlanKind::kAggregate && CheckSums(plan)) {
        const std::string checked = "the range of SUM and AVG is checked here";
        LOGQUERY_RETURN_IF_ERROR(Cut(As<Project>(*plan).input, checked));
        return checked;
      }
    }
    for (PlanPtr* const input : remote) LOGQUERY_RETURN_IF_ERROR(Cut(*input, why_not));
    return why_not;
  }

  // A Project on an Aggregate, equal to this one, whose sums are checked here; nullptr unless the source can run the
  // Aggregate. It has no input yet.
  PlanPtr CheckedSums(rewrite::Aggregate& aggregate) {
    PlanPtr checked = WithCheckedSums(aggregate, plan_);
    if (checked == nullptr) return nullptr;
    auto& there = As<rewrite::Aggregate>(*As<Project>(*checked).input);
    there.input = std::move(aggregate.input);
    const bool can = reasons_.WhyNot(there).empty();
    aggregate.input = std::move(there.input);
    return can ? std::move(checked) : nullptr;
  }

  bool CheckSums(PlanPtr& plan) {
    auto& aggregate = As<rewrite::Aggregate>(*plan);
    PlanPtr checked = CheckedSums(aggregate);
    if (checked == nullptr) return false;
    As<rewrite::Aggregate>(*As<Project>(*checked).input).input = std::move(aggregate.input);
    plan = std::move(checked);
    return true;
  }

  // Finds the joins and windows that are worth sending. A join may have more rows than its tables, and a window has as
  // many as its input, so they go only where the source runs everything from them up to the result, to groups, or to the
  // first rows. `plan` is such a place, or the source runs everything from it up to one.
  void FindWorthy(PlanPtr& plan) {
    if (IsCostly(*plan)) worthy_.insert(plan.get());
    const bool goes = Goes(*plan);
    ForEachBelow(*plan, [&](PlanPtr& below) { goes ? FindWorthy(below) : FindWorthyBelow(below); });
  }

  void FindWorthyBelow(PlanPtr& plan) {
    const bool reduces = plan->kind == PlanKind::kAggregate || plan->kind == PlanKind::kLimit;
    if (reduces && Goes(*plan)) return FindWorthy(plan);
    if (SelectsByNumber(*plan)) return FindWorthy(As<Filter>(*plan).input);
    ForEachBelow(*plan, [&](PlanPtr& below) { FindWorthyBelow(below); });
  }

  // Also visits subqueries, whose results are needed here.
  void ForEachBelow(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit) {
    rewrite::ForEachInput(plan, visit);
    for (PlanPtr* const subquery : SubqueriesOf(plan)) FindWorthy(*subquery);
  }

  static bool IsCostly(const Plan& plan) { return plan.kind == PlanKind::kJoin || plan.kind == PlanKind::kWindow; }

  // Returns whether the source can run the node, if it can run what the node reads.
  bool Goes(Plan& plan) {
    if (const Filter* const filter = If<Filter>(&plan)) {
      return reasons_.WhyNot(*filter->condition, *filter->input).empty();
    }
    if (reasons_.WhyNot(plan).empty()) return true;
    if (plan.kind != PlanKind::kAggregate) return false;
    const rewrite::ColumnId next = plan_.next_column;
    const bool can = CheckedSums(As<rewrite::Aggregate>(plan)) != nullptr;
    plan_.next_column = next;
    return can;
  }

  // Returns whether the source can run a condition on the result of a window function, as in QUALIFY.
  bool SelectsByNumber(const Plan& plan) const {
    const Filter* const filter = If<Filter>(&plan);
    const auto* const window = filter == nullptr ? nullptr : If<rewrite::Window>(filter->input.get());
    if (window == nullptr) return false;
    for (const Scalar* const conjunct : rewrite::ConjunctsOf(*filter->condition)) {
      const ColumnSet read = rewrite::ReferencedColumns(*conjunct);
      const bool has_number =
          std::any_of(window->calls.begin(), window->calls.end(),
                      [&](const rewrite::Window::Call& call) { return read.contains(call.column.id); });
      if (has_number && reasons_.WhyNot(*conjunct, *filter->input).empty()) return true;
    }
    return false;
  }

  absl::Status VisitSubqueries(Plan& plan) {
    for (PlanPtr* const subquery : SubqueriesOf(plan)) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::string why_not, Visit(*subquery));
      if (why_not.empty()) LOGQUERY_RETURN_IF_ERROR(Cut(*subquery, "a subquery is joined here"));
    }
    return absl::OkStatus();
  }

  static std::vector<PlanPtr*> SubqueriesOf(Plan& plan) {
    std::vector<PlanPtr*> subqueries;
    rewrite::ForEachOwnScalar(plan, [&](ScalarPtr& scalar) {
      if (scalar != nullptr) FindSubqueries(*scalar, subqueries);
    });
    return subqueries;
  }

  // Finds the subqueries in the scalar itself. Subqueries handle their own.
  static void FindSubqueries(Scalar& scalar, std::vector<PlanPtr*>& found) {
    rewrite::ForEachChild(scalar, [&](const rewrite::ChildSlot& child) {
      if (child.plan != nullptr) {
        found.push_back(child.plan);
      } else if (*child.scalar != nullptr) {
        FindSubqueries(**child.scalar, found);
      }
    });
  }

  absl::StatusOr<std::string> CheckScan(const TableScan& scan) const {
    for (const PlanColumn& column : scan.columns) {
      if (powers_.Carries(column.type)) continue;
      return absl::UnimplementedError(StrCat("the column ", scan.table->name, ".", column.name, " is ",
                                             column.type.ToString(), ", which can't be read from where the table is"));
    }
    return std::string();
  }

  // The filter's input is the source's as a whole. The conjuncts that the source can compute stay with it.
  absl::StatusOr<std::string> VisitFilter(Filter& filter) {
    std::vector<ScalarPtr> there;
    std::vector<ScalarPtr> here;
    std::string why_not;
    for (ScalarPtr& conjunct : rewrite::TakeConjuncts(std::move(filter.condition))) {
      std::string reason = reasons_.WhyNot(*conjunct, *filter.input);
      (reason.empty() ? there : here).push_back(std::move(conjunct));
      if (why_not.empty()) why_not = std::move(reason);
    }
    if (here.empty()) {
      filter.condition = rewrite::MakeAnd(std::move(there));
      return std::string();
    }
    if (!there.empty()) {
      filter.input = std::make_unique<Filter>(std::move(filter.input), rewrite::MakeAnd(std::move(there)));
    }
    filter.condition = rewrite::MakeAnd(std::move(here));
    LOGQUERY_RETURN_IF_ERROR(Cut(filter.input, why_not));
    return why_not;
  }

  // Makes a fragment of the plan, and replaces it by a scan of its rows. A plan with an order keeps the order here.
  absl::Status Cut(PlanPtr& plan, const std::string& reason) {
    if (plan->kind == PlanKind::kSort) return Cut(As<Sort>(*plan).input, reason);
    std::vector<rewrite::OrderKey> keys;
    if (const Limit* const limit = If<Limit>(plan.get())) {
      if (const Sort* const sort = If<Sort>(limit->input.get())) {
        for (const rewrite::OrderKey& key : sort->keys) {
          keys.push_back({rewrite::Clone(*key.value), key.descending, key.nulls_first});
        }
      }
    }
    PlanPtr scan = MakeFragment(std::move(plan), reason);
    plan = keys.empty() ? std::move(scan) : std::make_unique<Sort>(std::move(scan), std::move(keys));
    return absl::OkStatus();
  }

  PlanPtr MakeFragment(PlanPtr plan, const std::string& reason) {
    auto table = std::make_unique<Table>();
    auto scan = std::make_unique<TableScan>(table.get());
    ColumnSet known;
    for (const PlanColumn& column : plan->columns) {
      if (known.contains(column.id)) continue;
      known.insert(column.id);
      scan->columns.push_back(column);
      scan->storage.push_back(StrCat("c", scan->storage.size() + 1));
    }
    PlanPtr made;
    if (scan->columns.size() < plan->columns.size()) {
      std::vector<PlanColumn> all = plan->columns;
      auto project = std::make_unique<Project>(std::move(scan));
      scans_.push_back(&As<TableScan>(*project->input));
      project->columns = std::move(all);
      made = std::move(project);
    } else {
      scans_.push_back(scan.get());
      made = std::move(scan);
    }
    Fragment fragment;
    fragment.plan.root = std::move(plan);
    fragment.plan.next_column = plan_.next_column;
    fragment.reason = reason;
    out_.fragments.push_back(std::move(fragment));
    tables_.push_back(std::move(table));
    return made;
  }

  // Removes columns that the rest does not read, so that they are not transferred.
  absl::Status Prune() {
    LOGQUERY_RETURN_IF_ERROR(rewrite::PruneColumns({}, plan_));
    for (size_t i = 0; i < scans_.size(); ++i) {
      Fragment& fragment = out_.fragments[i];
      TableScan& scan = *scans_[i];
      PlanPtr& root = fragment.plan.root;
      std::vector<PlanColumn> wanted = scan.columns;
      const bool counted = fragment.counted;
      if (counted) wanted.push_back(root->columns.back());
      if (counted || wanted.size() < root->columns.size()) {
        auto project = std::make_unique<Project>(std::move(root));
        project->columns = std::move(wanted);
        root = std::move(project);
        LOGQUERY_RETURN_IF_ERROR(rewrite::PruneColumns({}, fragment.plan));
      }
      std::string layout;
      for (size_t column = 0; column < scan.columns.size(); ++column) {
        scan.storage[column] = StrCat("c", column + 1);
        tables_[i]->columns.push_back({scan.storage[column], scan.columns[column].type});
        StrAppend(&layout, LayoutOf(scan.columns[column].type), ";");
      }
      fragment.plan.schema = tables_[i]->columns;
      if (counted) fragment.plan.schema.push_back({std::string(kRowCount), Type::Int64()});
      fragment.table = StrCat("fragment_", i + 1, "_", base::Sha256Hex(layout).substr(0, 16));
      tables_[i]->name = fragment.table;
      out_.tables.push_back(std::move(tables_[i]));
    }
    return absl::OkStatus();
  }

  QueryPlan& plan_;
  const Reasons reasons_;
  const emit::Powers& powers_;
  const Extent extent_;
  SplitPlan& out_;
  absl::flat_hash_set<const Plan*> worthy_;  // joins and windows
  std::vector<TableScan*> scans_;            // of the rest, one for each fragment
  std::vector<std::unique_ptr<Table>> tables_;
};

absl::StatusOr<SplitPlan> SplitOnce(QueryPlan plan, const emit::Powers& powers, Extent extent) {
  SplitPlan split;
  MoveEqualitiesIntoJoins(plan.root);
  LOGQUERY_RETURN_IF_ERROR(Splitter(plan, powers, extent, split).Run());
  split.rest = std::move(plan);
  return split;
}

// The amount of its tables that a split transfers. A plain fragment transfers a table's rows as they are: neither
// grouped nor limited to the first ones, and without a join that is worth sending.
struct Traffic {
  int plain = 0;                                                 // plain fragments
  size_t least_conditions = std::numeric_limits<size_t>::max();  // of one of them
  size_t most_conditions = 0;
};

Traffic TrafficOf(const SplitPlan& split) {
  Traffic traffic;
  for (const Fragment& fragment : split.fragments) {
    bool is_plain = true;
    size_t conditions = 0;
    rewrite::VisitPlans(*fragment.plan.root, [&](const Plan& plan) {
      is_plain = is_plain && plan.kind != PlanKind::kAggregate && plan.kind != PlanKind::kLimit &&
                 plan.kind != PlanKind::kJoin;
      if (const Filter* const filter = If<Filter>(&plan)) {
        conditions += rewrite::ConjunctsOf(*filter->condition).size();
      }
    });
    if (!is_plain) continue;
    ++traffic.plain;
    traffic.least_conditions = std::min(traffic.least_conditions, conditions);
    traffic.most_conditions = std::max(traffic.most_conditions, conditions);
  }
  return traffic;
}

// Returns whether to read a WITH entry once for each reader: fewer plain fragments are sent, or up to twice as many,
// each of them with more conditions.
bool IsBetterUnshared(const Traffic& unshared, const Traffic& shared) {
  if (unshared.plain < shared.plain) return true;
  return shared.plain > 0 && unshared.plain <= 2 * shared.plain && unshared.least_conditions > shared.most_conditions;
}

}  // namespace

absl::StatusOr<SplitPlan> Split(QueryPlan plan, const emit::Powers& powers, Extent extent) {
  LOGQUERY_RETURN_IF_ERROR(rewrite::CheckDepth(*plan.root));
  if (extent == Extent::kBareScans) return SplitOnce(std::move(plan), BarePowers(powers), extent);
  UseAsciiCase(*plan.root);
  LOGQUERY_ASSIGN_OR_RETURN(std::optional<QueryPlan> unshared, UnshareEntries(plan));
  LOGQUERY_ASSIGN_OR_RETURN(SplitPlan split, SplitOnce(std::move(plan), powers, extent));
  if (!unshared.has_value()) return split;
  LOGQUERY_ASSIGN_OR_RETURN(SplitPlan other, SplitOnce(*std::move(unshared), powers, extent));
  return IsBetterUnshared(TrafficOf(other), TrafficOf(split)) ? std::move(other) : std::move(split);
}

}  // namespace logquery::split
