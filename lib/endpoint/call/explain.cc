// Writes plans as GoogleSQL while passes run, and asks the engine for its plan by EXPLAIN.
#include "lib/endpoint/call/explain.h"

#include <cstdint>
#include <string_view>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/emitter.h"
#include "logquery/batch.h"

namespace logquery::endpoint {
namespace {

// Gathers the second column of EXPLAIN's rows, which has the text.
class PlanSink : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override {
    if (batch.column_count() != 2) return absl::InternalError("EXPLAIN did not give two columns");
    for (int64_t row = 0; row < batch.rows(); ++row) {
      const ColumnView& column = batch.column(1);
      if (!column.IsNull(row)) base::StrAppend(&text_, column.StringAt(row));
    }
    return absl::OkStatus();
  }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string GoogleSqlOf(const rewrite::QueryPlan& plan) {
  absl::StatusOr<emit::EmittedQuery> text = emit::Emit(plan, Dialect::kGoogleSql);
  return text.ok() ? std::move(text->text) : base::StrCat("-- ", base::Message(text.status()));
}

void KeepTexts(rewrite::PassContext& context, PassTexts& texts) {
  context.observe = [&texts](std::string_view pass, const rewrite::QueryPlan& now) {
    texts.emplace_back(std::string(pass), GoogleSqlOf(now));
  };
}

QueryExplanation ExplainPrepared(const std::string& text, const std::vector<Slot>& slots,
                                 const std::vector<QueryFragment>& fragments) {
  QueryExplanation explanation;
  explanation.text = text;
  for (const Slot& slot : slots) explanation.variables.push_back(base::StrCat(slot.name, " ", slot.type.ToString()));
  for (const QueryFragment& fragment : fragments) {
    QueryExplanation::Part part{fragment.table, fragment.text, fragment.reason, {}};
    for (const size_t slot : fragment.slots) part.variables.push_back(slots[slot].name);
    explanation.parts.push_back(std::move(part));
  }
  return explanation;
}

bool GivesPlans(const Capabilities& backend) {
  return backend.dialect == Dialect::kDuckDb && backend.fragments == nullptr;
}

absl::StatusOr<std::string> EnginePlan(QueryBackend& backend, const PreparedQuery& query, const Bindings& bindings,
                                       const ExecutionLimits& limits, const CancellationToken& cancellation) {
  PreparedQuery::Parts parts;
  parts.endpoint_id = query.endpoint_id();
  parts.dialect_text = base::StrCat("EXPLAIN ", query.dialect_text());
  parts.slots = query.slots();
  parts.schema = {{"explain_key", Type::String()}, {"explain_value", Type::String()}};
  PlanSink sink;
  LOGQUERY_RETURN_IF_ERROR(backend.Execute(PreparedQuery(std::move(parts)), bindings, limits, cancellation, sink));
  return std::move(sink.text());
}

}  // namespace logquery::endpoint
