// Logs of the table `logs` that a condition excludes, and conditions that move to the scans of its logs.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using rewrite::ColumnRef;
using rewrite::Project;
using rewrite::Scalar;
using rewrite::SetOperationPlan;

namespace {

enum Outcome : unsigned { kCanBeTrue = 1, kCanBeFalse = 2, kCanBeAny = 3 };

// Finds the outcomes that a condition can have for rows of one log.
class SourceTest {
 public:
  SourceTest(ColumnId source, const std::string& name) : source_(source), name_(name) {}

  unsigned Of(const Scalar& condition) const {
    if (const auto* constant = rewrite::If<rewrite::Constant>(&condition)) {
      if (constant->value.is_null() || !constant->type.is(TypeKind::kBool)) return kCanBeFalse;
      return constant->value.bool_value() ? kCanBeTrue : kCanBeFalse;
    }
    const auto* call = rewrite::If<rewrite::FunctionCall>(&condition);
    if (call == nullptr) return kCanBeAny;
    const auto& args = call->arguments;
    if (IsCallOf(condition, "$and") || IsCallOf(condition, "$or")) {
      const bool is_and = IsCallOf(condition, "$and");
      unsigned out = is_and ? kCanBeTrue : kCanBeFalse;
      for (const ScalarPtr& arg : args) {
        const unsigned part = Of(*arg);
        const unsigned ends = is_and ? kCanBeFalse : kCanBeTrue;
        const unsigned stays = is_and ? kCanBeTrue : kCanBeFalse;
        out |= part & ends;
        if ((part & stays) == 0) return ends;
      }
      return out;
    }
    if (IsCallOf(condition, "$not")) {
      const unsigned part = Of(*args[0]);
      return ((part & kCanBeTrue) != 0 ? kCanBeFalse : 0U) | ((part & kCanBeFalse) != 0 ? kCanBeTrue : 0U);
    }
    const bool equal = IsCallOf(condition, "$equal") || IsCallOf(condition, "$in");
    const bool unequal = IsCallOf(condition, "$not_equal");
    if (!equal && !unequal) return kCanBeAny;
    return OfList(args, equal);
  }

 private:
  unsigned OfList(const std::vector<ScalarPtr>& args, bool equal) const {
    const auto is_source = [&](const ScalarPtr& arg) {
      const auto* column = rewrite::If<ColumnRef>(arg.get());
      return column != nullptr && column->id == source_;
    };
    const size_t side = is_source(args[0]) ? 0 : args.size() == 2 && is_source(args[1]) ? 1 : args.size();
    if (side == args.size()) return kCanBeAny;
    bool found = false;
    for (size_t i = 0; i < args.size(); ++i) {
      if (i == side) continue;
      const auto* constant = rewrite::If<rewrite::Constant>(args[i].get());
      if (constant == nullptr || constant->value.is_null()) return kCanBeAny;
      found = found || constant->value.string_value() == name_;
    }
    return found == equal ? kCanBeTrue : kCanBeFalse;
  }

  const ColumnId source_;
  const std::string& name_;
};

// The value that the input gives for the column at `index` of the union.
ScalarPtr ValueIn(const Project& input, size_t index) {
  const PlanColumn& column = input.columns[index];
  for (const rewrite::Computed& computed : input.computed) {
    if (computed.column.id == column.id) return rewrite::Clone(*computed.value);
  }
  return std::make_unique<ColumnRef>(column);
}

// Returns whether the value is `IFNULL(x, '')` of a text.
bool IsTextOrEmpty(const Scalar& scalar) {
  if (!rewrite::IsCallOf(scalar, "IFNULL")) return false;
  const auto* otherwise = rewrite::If<rewrite::Constant>(rewrite::As<rewrite::FunctionCall>(scalar).arguments[1].get());
  return otherwise != nullptr && otherwise->type.is(TypeKind::kString) && !otherwise->value.is_null() &&
         otherwise->value.string_value().empty();
}

// `IFNULL(x, '') = p` as `x = p OR (x IS NULL AND p = '')`: a stored value is compared as it is. The new form is NULL
// where the old one is FALSE, so only conditions of which a filter wants the truth are changed.
void CompareStored(ScalarPtr& scalar) {
  if (rewrite::IsCallOf(*scalar, "$and") || rewrite::IsCallOf(*scalar, "$or")) {
    for (ScalarPtr& part : rewrite::As<rewrite::FunctionCall>(*scalar).arguments) CompareStored(part);
    return;
  }
  if (!rewrite::IsCallOf(*scalar, "$equal")) return;
  auto& args = rewrite::As<rewrite::FunctionCall>(*scalar).arguments;
  if (!IsTextOrEmpty(*args[0])) return;
  ScalarPtr stored = std::move(rewrite::As<rewrite::FunctionCall>(*args[0]).arguments[0]);
  std::vector<ScalarPtr> absent;
  absent.push_back(IsNull(Same(stored)));
  absent.push_back(Call("$equal", Type::Bool(), Same(args[1]), Text("")));
  std::vector<ScalarPtr> either;
  ScalarPtr other = std::move(args[1]);
  either.push_back(Call("$equal", Type::Bool(), std::move(stored), std::move(other)));
  either.push_back(And(std::move(absent)));
  scalar = Or(std::move(either));
}

}  // namespace

void Resolver::PruneLogs(const Scalar& condition, Relation& rows) {
  if (rows.logs == nullptr) return;
  LogsView& view = *rows.logs;
  ColumnId source = 0;
  for (const auto& [id, index] : view.shown) {
    if (index == view.source) source = id;
  }
  for (size_t i = view.sources.size(); i-- > 0;) {
    if (view.sources.size() == 1) return;
    if ((SourceTest(source, view.sources[i]).Of(condition) & kCanBeTrue) != 0) continue;
    view.sources.erase(view.sources.begin() + static_cast<std::ptrdiff_t>(i));
    view.set->inputs.erase(view.set->inputs.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// Moves a condition on the row's time, and in a definition on its project, to the scans. Callers' conditions on texts
// stay above, where redaction is done.
bool Resolver::PushIntoLogs(const Scalar& condition, Relation& rows, bool trusted) {
  if (rows.logs == nullptr) return false;
  const LogsView& view = *rows.logs;
  bool may_move = true;
  rewrite::VisitScalars(condition, [&](const Scalar& part) {
    if (part.kind == rewrite::ScalarKind::kSubquery) may_move = false;
    const ColumnRef* column = rewrite::If<ColumnRef>(&part);
    if (column == nullptr) return;
    const auto shown = view.shown.find(column->id);
    const bool known =
        shown != view.shown.end() && (shown->second == view.time || (trusted && shown->second == view.project));
    may_move = may_move && known;
  });
  if (!may_move) return false;
  for (PlanPtr& input : view.set->inputs) {
    Project& project = rewrite::As<Project>(*input);
    ScalarPtr moved = rewrite::Clone(condition);
    const absl::Status done = rewrite::RewriteScalar(moved, [&](ScalarPtr& part) {
      const ColumnRef* column = rewrite::If<ColumnRef>(part.get());
      if (column != nullptr && view.shown.contains(column->id)) part = ValueIn(project, view.shown.at(column->id));
      return absl::OkStatus();
    });
    done.IgnoreError();  // the callback never fails
    CompareStored(moved);
    rewrite::PutFilter(project.input, std::move(moved));
  }
  return true;
}

// A union of one log is that log. References to the union's columns become references to the log's.
void Resolver::CollapseUnions() {
  rewrite::ColumnMap renamed;
  const absl::Status done = rewrite::RewritePlans(query_->root, [&](PlanPtr& node) {
    SetOperationPlan* set = rewrite::If<SetOperationPlan>(node.get());
    if (set == nullptr || set->inputs.size() != 1 || set->distinct) return absl::OkStatus();
    for (size_t i = 0; i < set->columns.size(); ++i) renamed[set->columns[i].id] = set->inputs[0]->columns[i].id;
    PlanPtr input = std::move(set->inputs[0]);
    node = std::move(input);
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
  if (!renamed.empty()) rewrite::RenameReferences(*query_->root, renamed);
}

}  // namespace logquery::clickhouse_sql
