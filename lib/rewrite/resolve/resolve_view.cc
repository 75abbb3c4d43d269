// Resolves views, which are queries that can be read like tables. A view becomes a subquery that is resolved in its own
// text, without the surrounding names, so that it means the same wherever it is read.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/rewrite/passes/redaction.h"
#include "lib/rewrite/resolve/resolver_impl.h"

namespace logquery::rewrite {

// Adds a projection between the view and its reader, so that the reader can only access redacted text.
void Resolver::RedactColumns(const std::string& kinds, Named& named) {
  const Constant constant(Value::String(kinds));
  auto project = std::make_unique<Project>(std::move(named.plan));
  ColumnSet kept;
  // Other columns of the plan, such as a key of ORDER BY, end here.
  for (VisibleName& visible : named.columns) {
    if (HoldsText(visible.column.type)) {
      const PlanColumn plain = visible.column;
      visible.column = NewColumn(plain.name, plain.type);
      project->computed.push_back({visible.column, MakeRedacted(std::make_unique<ColumnRef>(plain), constant)});
    } else if (!kept.insert(visible.column.id)) {
      continue;
    }
    project->columns.push_back(visible.column);
  }
  named.plan = std::move(project);
}

absl::StatusOr<Resolver::FromResult> Resolver::ReadView(const sql::TableItem& item, const View& view,
                                                        const std::string& alias, const Scope* outer) {
  if (++*count_of_views_ > kMaxViewsRead) {
    return Error(item.span, base::StrCat("the query reads more than ", kMaxViewsRead,
                                         " other queries by their names, counting those that they read"));
  }
  ResolveOptions options;
  options.catalog = options_.catalog;
  options.parameters = view.parameters;
  options.time_zone = options_.time_zone;
  options.find_view = view.reads;
  Resolver inner(view.text, options, query_);
  inner.count_of_views_ = count_of_views_;
  // Its places are in another text than the reader's.
  absl::StatusOr<Named> resolved = inner.ResolveQuery(*view.query, nullptr);
  if (!resolved.ok()) return Error(item.span, base::Message(resolved.status()));
  Named named = *std::move(resolved);
  if (const absl::Status depth = CheckDepth(*named.plan); !depth.ok()) return At(item.span, depth);
  LOGQUERY_RETURN_IF_ERROR(RewriteScalars(named.plan, [](ScalarPtr& scalar) {
    scalar->span = {};
    return absl::OkStatus();
  }));
  int unnamed = 0;
  for (VisibleName& column : named.columns) {
    if (column.name.empty() && !named.is_value_table) column.name = base::StrCat("f", unnamed++, "_");
  }
  LOGQUERY_RETURN_IF_ERROR(CountScanned(item.span, named.columns.size()));
  if (view.redaction) RedactColumns(*view.redaction, named);
  return FromNamed(std::move(named), alias, outer);
}

}  // namespace logquery::rewrite
