// Adds `project = scope` to every scan of a log: a token for one project reads only that project's rows, whatever
// parameters, patterns or SQL the caller sends.
#include "lib/base/strings.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

// The value at table.project_path, over the scan's columns; nullptr when the scan has no such path.
ScalarPtr ProjectOf(const TableScan& scan) {
  const std::vector<std::string>& path = scan.table->project_path;
  ScalarPtr value;
  for (size_t i = 0; i < scan.columns.size() && !path.empty(); ++i) {
    if (base::EqualsIgnoreCase(scan.storage[i], path[0])) value = std::make_unique<ColumnRef>(scan.columns[i]);
  }
  for (size_t i = 1; value != nullptr && i < path.size(); ++i) {
    if (value->type.is_record()) value = MakeElement(std::move(value));
    int field = value->type.is_struct() ? value->type.FindField(path[i]) : -1;
    if (field < 0) return nullptr;
    value = std::make_unique<FieldRef>(std::move(value), field);
  }
  return value != nullptr && value->type.is(TypeKind::kString) ? std::move(value) : nullptr;
}

}  // namespace

absl::Status ScopeProject(const PassContext& context, QueryPlan& query) {
  if (context.project_scope_parameter == nullptr) return absl::OkStatus();
  return RewritePlans(query.root, [&](PlanPtr& node) -> absl::Status {
    const TableScan* scan = If<TableScan>(node.get());
    if (scan == nullptr) return absl::OkStatus();
    ScalarPtr project = ProjectOf(*scan);
    if (project == nullptr) {
      return absl::PermissionDeniedError(
          base::StrCat("this call is for one project, and ", scan->table->name, " does not say whose its rows are"));
    }
    std::vector<ScalarPtr> sides;
    sides.push_back(std::move(project));
    sides.push_back(std::make_unique<ParameterRef>(*context.project_scope_parameter, Type::String()));
    node = std::make_unique<Filter>(std::move(node), MakeTypedCall("$equal", Type::Bool(), std::move(sides)));
    return absl::OkStatus();
  });
}

}  // namespace logquery::rewrite
