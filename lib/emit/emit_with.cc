// Writes WITH entries and set operations.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {

using rewrite::Plan;
using rewrite::PlanKind;
using rewrite::SetOperationPlan;
using rewrite::WithEntry;

namespace {

// The limit on the nodes of all copies of an entry, if each of its readers gets a copy.
constexpr int64_t kMaxNodesOfCopies = 200;

std::string_view OperatorWords(sql::SetOperator::Kind op) {
  switch (op) {
    case sql::SetOperator::Kind::kUnion:
      return "UNION";
    case sql::SetOperator::Kind::kIntersect:
      return "INTERSECT";
    case sql::SetOperator::Kind::kExcept:
      return "EXCEPT";
  }
  return "";
}

// Returns whether copying the plan into each reader, where filters reach its table, costs no more than materializing
// it.
bool IsRepeatable(const Plan& plan) {
  bool repeatable = true;
  rewrite::VisitPlans(plan, [&](const Plan& node) {
    repeatable = repeatable && (node.kind == PlanKind::kTableScan || node.kind == PlanKind::kCteScan ||
                                node.kind == PlanKind::kSingleRow || node.kind == PlanKind::kFilter ||
                                node.kind == PlanKind::kProject || node.kind == PlanKind::kUnnest);
  });
  return repeatable;
}

bool IsVolatile(const Plan& plan) {
  bool is_volatile = false;
  rewrite::VisitScalars(plan, [&](const rewrite::Scalar& scalar) {
    const auto* call = rewrite::If<rewrite::FunctionCall>(&scalar);
    is_volatile = is_volatile || (call != nullptr && call->overload->function->Has(rewrite::kVolatile));
  });
  return is_volatile;
}

}  // namespace

// In a chain of entries that each read the one before twice, copies would double with each entry.
bool Emitter::IsMaterialized(const WithEntry& entry) {
  Entry& own = entries_[entry.id];
  const int64_t nodes = NodesOf(*entry.plan);
  const bool is_kept =
      own.reads > 1 && (IsVolatile(*entry.plan) || !IsRepeatable(*entry.plan) || nodes * own.reads > kMaxNodesOfCopies);
  if (!is_kept) own.nodes = nodes;
  return is_kept;
}

// The number of the plan's nodes, with those of the entries that the engine writes in place of their names.
int64_t Emitter::NodesOf(const Plan& plan) const {
  int64_t nodes = 0;
  rewrite::VisitPlans(plan, [&](const Plan& node) {
    const auto* scan = rewrite::If<rewrite::CteScan>(&node);
    const auto entry = scan == nullptr ? entries_.end() : entries_.find(scan->cte);
    nodes += entry == entries_.end() ? 1 : std::min(entry->second.nodes, kMaxNodesOfCopies);
  });
  return nodes;
}

absl::StatusOr<Select> Emitter::BuildWith(const rewrite::With& with, bool ordered) {
  std::vector<std::string> texts;
  bool recursive = false;
  for (const WithEntry& entry : with.entries) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, EntryText(entry));
    texts.push_back(std::move(text));
    recursive = recursive || entry.recursive;
  }
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*with.body, ordered));
  texts.insert(texts.end(), select.with.begin(), select.with.end());
  select.with = std::move(texts);
  select.recursive = select.recursive || recursive;
  return select;
}

// Returns the entry's text in the WITH list.
absl::StatusOr<std::string> Emitter::EntryText(const WithEntry& entry) {
  std::string name = Alias({entry.id, entry.name, Type()});
  while (!taken_.insert(name).second) name += "_w";
  const std::vector<std::string> aliases = AliasesOf(entry.plan->columns);
  // A recursive entry's own plan reads it.
  entries_[entry.id].name = name;
  entries_[entry.id].aliases = aliases;
  if (entry.recursive) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, SetOperationText(rewrite::As<SetOperationPlan>(*entry.plan), aliases));
    return base::StrCat(name, " AS (", text, ")");
  }
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*entry.plan, false));
  const std::string text = Exactly(std::move(select), entry.plan->columns, aliases);
  const bool is_materialized = IsMaterialized(entry);
  return base::StrCat(name, " AS ", dialect_.Materialized(is_materialized), "(", text, ")");
}

absl::StatusOr<Select> Emitter::BuildCteScan(const rewrite::CteScan& scan) {
  auto entry = entries_.find(scan.cte);
  if (entry == entries_.end() || entry->second.name.empty()) {
    return absl::InternalError(base::StrCat("WITH entry ", scan.cte, " is read before it is written"));
  }
  Select select;
  const std::string alias = NewTableName();
  select.from = base::StrCat(entry->second.name, " AS ", alias);
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    const std::string& name = entry->second.aliases[static_cast<size_t>(scan.ordinals[i])];
    select.known[scan.columns[i].id] = {{base::StrCat(alias, ".", name), Text::Kind::kPath}, false};
  }
  return select;
}

// Writes each input in parentheses. The columns have the names of the first one.
absl::StatusOr<std::string> Emitter::SetOperationText(const SetOperationPlan& operation,
                                                      const std::vector<std::string>& aliases) {
  std::vector<std::string> texts;
  for (const rewrite::PlanPtr& input : operation.inputs) {
    LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*input, false));
    LOGQUERY_ASSIGN_OR_RETURN(std::string text,
                              InputText(std::move(select), input->columns, operation.columns, aliases));
    texts.push_back(base::StrCat("(", text, ")"));
  }
  return base::Join(texts, base::StrCat(" ", OperatorWords(operation.op), operation.distinct ? " DISTINCT " : " ALL "));
}

// An input's columns laid out as the operation's are: a record may stand where another input has a plain array.
absl::StatusOr<std::string> Emitter::InputText(Select select, const Columns& from, const Columns& to,
                                               const std::vector<std::string>& aliases) {
  Columns columns = from;
  for (size_t i = 0; i < from.size(); ++i) {
    if (Type::SameLayout(from[i].type, to[i].type)) continue;
    if (select.IsComputed(from[i].id)) Wrap(select, from);
    LOGQUERY_ASSIGN_OR_RETURN(Sql text, dialect_.Convert(from[i].type, to[i].type, Find(select, from[i].id).text));
    columns[i] = Hidden("laid_out", to[i].type);
    select.known[columns[i].id] = {{text, Text::Kind::kOther}, true};
  }
  return Exactly(std::move(select), columns, aliases);
}

absl::StatusOr<Select> Emitter::BuildSetOperation(const SetOperationPlan& operation) {
  const std::vector<std::string> aliases = AliasesOf(operation.columns);
  LOGQUERY_ASSIGN_OR_RETURN(std::string text, SetOperationText(operation, aliases));
  Select select;
  const std::string name = NewQueryName();
  select.from = base::StrCat("(", text, ") AS ", name);
  for (size_t i = 0; i < operation.columns.size(); ++i) {
    select.known[operation.columns[i].id] = {{base::StrCat(name, ".", aliases[i]), Text::Kind::kPath}, false};
  }
  return select;
}

}  // namespace logquery::emit
