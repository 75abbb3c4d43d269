// Hands stored columns on beside redacted ones, through projections and entries, up to where they are read. Later passes
// then write `REDACT(record.field)` there, so that only fields that are read are redacted, and never whole records.
#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/redaction.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

// The stored column of each redacted one.
using StoredColumns = absl::flat_hash_map<ColumnId, PlanColumn>;

bool Has(const std::vector<PlanColumn>& columns, ColumnId id) {
  return std::any_of(columns.begin(), columns.end(), [id](const PlanColumn& column) { return column.id == id; });
}

StoredColumns FindStored(const Plan& root) {
  StoredColumns stored;
  VisitPlans(root, [&](const Plan& plan) {
    const Project* project = If<Project>(&plan);
    if (project == nullptr) return;
    for (const Computed& computed : project->computed) {
      if (!IsRedaction(*computed.value)) continue;
      const ColumnRef* column = If<ColumnRef>(As<FunctionCall>(*computed.value).arguments[0].get());
      if (column != nullptr) stored[computed.column.id] = {column->id, column->name, column->type};
    }
  });
  return stored;
}

// Adds the stored columns that each projection could pass on. Repeats this, because a projection above may then pass on
// more.
void HandOn(const StoredColumns& stored, QueryPlan& query) {
  ColumnSet wanted;
  for (const auto& [redacted, column] : stored) wanted.insert(column.id);
  const PlanSet exact = FindExact(*query.root);
  for (bool changed = true; changed;) {
    changed = false;
    VisitPlans(*query.root, [&](Plan& plan) {
      Project* project = If<Project>(&plan);
      if (project == nullptr || exact.contains(project)) return;
      for (const PlanColumn& column : project->input->columns) {
        if (!wanted.contains(column.id) || Has(project->columns, column.id)) continue;
        project->columns.push_back(column);
        changed = true;
      }
    });
    if (changed) RefreshColumns(*query.root);
  }
}

// The projection that gives the entry's columns; nullptr: there is none. Adds the columns that are read above it.
Project* GiverOf(Plan& plan, ColumnSet& read) {
  if (Limit* limit = If<Limit>(&plan)) return GiverOf(*limit->input, read);
  Sort* sort = If<Sort>(&plan);
  if (sort == nullptr) return If<Project>(&plan);
  for (const OrderKey& key : sort->keys) {
    VisitScalars(*key.value, [&](const Scalar& scalar) {
      if (const ColumnRef* column = If<ColumnRef>(&scalar)) read.insert(column->id);
    });
  }
  return GiverOf(*sort->input, read);
}

// Makes an entry that is read several times return stored records in place of redacted ones, and redacts them where
// they are read.
absl::Status HandOnRecords(const StoredColumns& stored, const std::string& kinds, WithEntry& entry, QueryPlan& query) {
  ColumnSet read;
  Project* giver = entry.recursive ? nullptr : GiverOf(*entry.plan, read);
  if (giver == nullptr) return absl::OkStatus();
  absl::flat_hash_set<int> given;
  for (size_t i = 0; i < giver->columns.size(); ++i) {
    const auto found = stored.find(giver->columns[i].id);
    if (found == stored.end() || !found->second.type.is_record() || read.contains(found->first)) continue;
    if (!Has(giver->input->columns, found->second.id) || Has(giver->columns, found->second.id)) continue;
    giver->columns[i] = found->second;
    given.insert(static_cast<int>(i));
  }
  if (given.empty()) return absl::OkStatus();
  RefreshColumns(*query.root);
  const auto is_read = [&](const Plan& plan, size_t column) {
    const CteScan* scan = If<CteScan>(&plan);
    return scan != nullptr && scan->cte == entry.id && given.contains(scan->ordinals[column]);
  };
  return RedactReads(query.root, kinds, is_read, query);
}

}  // namespace

absl::Status HandOnStored(const PassContext& context, QueryPlan& query) {
  if (context.redaction == nullptr) return absl::OkStatus();
  HandOn(FindStored(*query.root), query);
  With* with = If<With>(query.root.get());
  if (with == nullptr) return absl::OkStatus();
  for (WithEntry& entry : with->entries) {
    LOGQUERY_RETURN_IF_ERROR(HandOnRecords(FindStored(*query.root), *context.redaction, entry, query));
    HandOn(FindStored(*query.root), query);
  }
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
