// The list of BigQuery's passes, and the short ones among them.
#include "lib/engines/bigquery/dialect/passes.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;

// The least TIMESTAMP, which is what the floor of a query for the newest rows is where nothing raises it.
constexpr int64_t kLeastMicros = -62'135'596'800'000'000;

// A letter or `_`, then letters, digits and `_`.
std::string LegalName(std::string_view name) {
  if (name.starts_with('@')) name.remove_prefix(1);
  std::string legal;
  for (const unsigned char c : name) legal += absl::ascii_isalnum(c) || c == '_' ? static_cast<char>(c) : '_';
  if (legal.empty() || absl::ascii_isdigit(static_cast<unsigned char>(legal[0]))) legal.insert(0, "p_");
  return legal;
}

absl::Status RewriteAll(QueryPlan& query, rewrite::RewriteScalarFn rewrite) {
  for (rewrite::DerivedParameter& derived : query.derived) {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RewriteScalar(derived.value, rewrite));
  }
  return rewrite::RewriteScalars(query.root, rewrite);
}

// Returns whether the key's NULLs go where BigQuery puts them by default. Only the ORDER BY of a query can put them
// elsewhere.
bool IsDefault(const rewrite::OrderKey& key) { return key.nulls_first == !key.descending; }

void SortNullsApart(std::vector<rewrite::OrderKey>& keys) {
  std::vector<rewrite::OrderKey> all;
  for (rewrite::OrderKey& key : keys) {
    if (!IsDefault(key)) {
      std::vector<ScalarPtr> operand;
      operand.push_back(rewrite::Clone(*key.value));
      ScalarPtr is_null = rewrite::MakeTypedCall("$is_null", Type::Bool(), std::move(operand));
      all.push_back({std::move(is_null), key.nulls_first, !key.nulls_first});
      key.nulls_first = !key.descending;
    }
    all.push_back(std::move(key));
  }
  keys = std::move(all);
}

absl::Status SortNullsOf(rewrite::AggregateCall& call) {
  const bool is_default = std::all_of(call.order_by.begin(), call.order_by.end(), IsDefault);
  if (is_default) return absl::OkStatus();
  if (call.distinct) {
    return absl::UnimplementedError("BigQuery can't sort NULLs of a DISTINCT aggregate to that end; leave NULLS out");
  }
  SortNullsApart(call.order_by);
  return absl::OkStatus();
}

absl::Status SortNullsOf(rewrite::Window::Call& window) {
  LOGQUERY_RETURN_IF_ERROR(SortNullsOf(window.call));
  if (std::all_of(window.order_by.begin(), window.order_by.end(), IsDefault)) return absl::OkStatus();
  if (window.frame.has_value() && (window.frame->start_offset != nullptr || window.frame->end_offset != nullptr) &&
      window.frame->unit == sql::WindowFrame::Unit::kRange) {
    return absl::UnimplementedError("BigQuery can't sort the NULLs of a RANGE with an offset to that end");
  }
  SortNullsApart(window.order_by);
  return absl::OkStatus();
}

absl::Status CheckNode(rewrite::Plan& node) {
  if (auto* unnest = rewrite::If<rewrite::Unnest>(&node); unnest != nullptr && unnest->arrays.size() > 1) {
    return absl::UnimplementedError("BigQuery has no UNNEST of several arrays; join them by OFFSET");
  }
  const auto* set = rewrite::If<rewrite::SetOperationPlan>(&node);
  if (set != nullptr && !set->distinct && set->op != sql::SetOperator::Kind::kUnion) {
    return absl::UnimplementedError("BigQuery has INTERSECT and EXCEPT with DISTINCT only, not with ALL");
  }
  if (auto* aggregate = rewrite::If<rewrite::Aggregate>(&node)) {
    for (rewrite::Aggregate::Call& call : aggregate->calls) LOGQUERY_RETURN_IF_ERROR(SortNullsOf(call.call));
  }
  if (auto* window = rewrite::If<rewrite::Window>(&node)) {
    for (rewrite::Window::Call& call : window->calls) LOGQUERY_RETURN_IF_ERROR(SortNullsOf(call));
  }
  return absl::OkStatus();
}

}  // namespace

const std::vector<rewrite::Pass>& BigQueryPasses() {
  static const auto& passes = *new std::vector<rewrite::Pass>{
      {"write_out_buckets", WriteOutBuckets, /*always=*/true},
      {"name_parameters", NameParameters, /*always=*/true},
      {"refuse_unsupported", RefuseUnsupported, /*always=*/true},
  };
  return passes;
}

absl::Status NameParameters(const rewrite::PassContext&, QueryPlan& query) {
  base::StringSet derived;
  for (const rewrite::DerivedParameter& each : query.derived) derived.insert(each.name);
  base::NameMap<std::string> taken;  // the name that each parameter had, by its new one
  query.newest.reset();
  return RewriteAll(query, [&](ScalarPtr& scalar) -> absl::Status {
    auto* parameter = rewrite::If<rewrite::ParameterRef>(scalar.get());
    if (parameter == nullptr || derived.contains(parameter->name)) return absl::OkStatus();
    if (parameter->name == rewrite::kFloorParameter) {
      scalar = std::make_unique<rewrite::Constant>(Value::TimestampMicros(kLeastMicros));
      return absl::OkStatus();
    }
    std::string legal = LegalName(parameter->name);
    const std::string& had = taken.emplace(legal, parameter->name).first->second;
    if (had != parameter->name) {
      const std::string_view clock =
          had == rewrite::kNowParameter || parameter->name == rewrite::kNowParameter ? "; @now is the clock" : "";
      return absl::UnimplementedError(StrCat("the parameters ", had, " and ", parameter->name, " would both be @",
                                             legal, " for BigQuery", clock, "; rename one"));
    }
    parameter->name = std::move(legal);
    return absl::OkStatus();
  });
}

absl::Status RefuseUnsupported(const rewrite::PassContext&, QueryPlan& query) {
  absl::Status status;
  rewrite::VisitPlans(*query.root, [&](rewrite::Plan& node) { status.Update(CheckNode(node)); });
  return status;
}

}  // namespace logquery::emit
