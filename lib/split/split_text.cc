// Emits the parts, and merges their bind variables into one list.
#include "lib/split/split_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/tables_read.h"
#include "lib/split/pass_through.h"

namespace logquery::split {
namespace {

// The place of the slot among the query's, where it is put if it is not there yet.
size_t PlaceOf(const Slot& slot, std::vector<Slot>& slots) {
  const auto found = std::find_if(slots.begin(), slots.end(), [&](const Slot& each) { return each.name == slot.name; });
  if (found != slots.end()) return static_cast<size_t>(found - slots.begin());
  slots.push_back(slot);
  return slots.size() - 1;
}

}  // namespace

absl::StatusOr<SplitText> EmitSplit(rewrite::QueryPlan plan, const emit::SqlDialect& source, Dialect finisher,
                                    sql::Span* failed, Extent extent) {
  if (source.powers() == nullptr) return absl::InternalError("a dialect of fragments does not say what it can do");
  LOGQUERY_ASSIGN_OR_RETURN(SplitPlan split, Split(std::move(plan), *source.powers(), extent));
  SplitText text;
  text.pass_through = PassThrough(split);
  const emit::SqlDialect* const here = emit::SqlOf(finisher);
  if (here == nullptr) return absl::InternalError("what remains of a split query has no dialect");
  if (const absl::Status done = rewrite::RunPasses(here->Passes(), {}, split.rest); !done.ok()) {
    if (failed != nullptr && split.rest.failed.has_value()) *failed = *split.rest.failed;
    return done;
  }
  LOGQUERY_ASSIGN_OR_RETURN(text.rest, emit::Emit(split.rest, *here, failed));
  for (Fragment& fragment : split.fragments) {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(source.Passes(), {}, fragment.plan));
    LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(fragment.plan, source, failed));
    QueryFragment made;
    made.table = fragment.table;
    made.text = std::move(emitted.text);
    for (const Slot& slot : emitted.slots) made.slots.push_back(PlaceOf(slot, text.rest.slots));
    made.schema = fragment.plan.schema;
    made.tables = rewrite::TablesRead(fragment.plan);
    made.reason = fragment.reason;
    text.fragments.push_back(std::move(made));
  }
  return text;
}

}  // namespace logquery::split
