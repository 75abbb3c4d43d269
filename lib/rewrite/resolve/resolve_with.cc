// Resolves WITH entries.
#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

namespace {

bool IsAboutTable(const absl::Status& status, std::string_view name) {
  const std::string_view message = base::Message(status);
  return message.find(StrCat("table ", name, " ")) != std::string_view::npos;
}

// Returns for each entry of the WITH clause whether `query` may read it, directly or through another entry.
std::vector<bool> EntriesRead(const sql::Query& endpoint, const sql::Query& query) {
  base::NameSet names;
  for (const sql::Identifier& name : query.table_names) names.insert(name.text);
  std::vector<bool> read(endpoint.with.size());
  // An entry reads only itself and those before it.
  for (size_t i = read.size(); i-- > 0;) {
    read[i] = names.contains(endpoint.with[i].name.text);
    const sql::Span place = endpoint.with[i].query->span;
    for (const sql::Identifier& name : endpoint.table_names) {
      if (read[i] && name.span.begin >= place.begin && name.span.end <= place.end) names.insert(name.text);
    }
  }
  return read;
}

// Orders the entries of a WITH RECURSIVE such that each stands behind those it reads, as far as possible, and otherwise
// as they are written.
class ReadingOrder {
 public:
  // `names` are the tables that the statement reads, with their places.
  ReadingOrder(const std::vector<sql::Cte>& ctes, const std::vector<sql::Identifier>& names)
      : ctes_(ctes), names_(names), seen_(ctes.size()) {
    for (size_t i = 0; i < ctes.size(); ++i) Add(i);
  }

  const std::vector<const sql::Cte*>& ordered() const { return ordered_; }

 private:
  void Add(size_t i) {
    if (seen_[i]) return;
    seen_[i] = true;
    const sql::Span place = ctes_[i].query->span;
    for (const sql::Identifier& name : names_) {
      if (name.span.begin < place.begin || name.span.end > place.end) continue;
      for (size_t j = 0; j < ctes_.size(); ++j) {
        if (base::EqualsIgnoreCase(ctes_[j].name.text, name.text)) Add(j);
      }
    }
    ordered_.push_back(&ctes_[i]);
  }

  const std::vector<sql::Cte>& ctes_;
  const std::vector<sql::Identifier>& names_;
  std::vector<bool> seen_;
  std::vector<const sql::Cte*> ordered_;
};

}  // namespace

absl::StatusOr<std::vector<WithEntry>> Resolver::ResolveWith(const sql::Query& query, const Scope* outer) {
  if (!query.table_names.empty()) table_names_ = &query.table_names;
  std::vector<WithEntry> entries;
  LOGQUERY_RETURN_IF_ERROR(ResolveEntries(query.with, query.recursive, outer, entries));
  return entries;
}

absl::StatusOr<std::vector<WithEntry>> Resolver::ResolveEntriesRead(const sql::Query& endpoint,
                                                                    const sql::Query& query) {
  const std::vector<bool> read = EntriesRead(endpoint, query);
  table_names_ = &endpoint.table_names;
  std::vector<WithEntry> entries;
  for (size_t i = 0; i < endpoint.with.size(); ++i) {
    const sql::Cte& cte = endpoint.with[i];
    if (read[i]) {
      LOGQUERY_ASSIGN_OR_RETURN(WithEntry entry, ResolveCte(cte, endpoint.recursive, nullptr));
      entries.push_back(std::move(entry));
    } else {
      CteInfo info;
      info.name = cte.name.text;
      ctes_.push_back(std::move(info));
    }
  }
  return entries;
}

absl::Status Resolver::ResolveEntries(const std::vector<sql::Cte>& ctes, bool recursive, const Scope* outer,
                                      std::vector<WithEntry>& entries) {
  static const std::vector<sql::Identifier>& none = *new std::vector<sql::Identifier>;
  const ReadingOrder order(ctes, recursive && table_names_ != nullptr ? *table_names_ : none);
  base::NameSet names;
  for (const sql::Cte* const next : order.ordered()) {
    const sql::Cte& cte = *next;
    if (!names.insert(cte.name.text).second) {
      return Error(cte.name.span, StrCat("the name ", cte.name.text, " is defined twice in this WITH"));
    }
    for (const std::string& taken : sandbox_names_) {
      if (in_sandbox_ && base::EqualsIgnoreCase(taken, cte.name.text)) {
        return Error(cte.name.span, StrCat("the name ", cte.name.text, " belongs to the endpoint; choose another one"));
      }
    }
    LOGQUERY_ASSIGN_OR_RETURN(WithEntry entry, ResolveCte(cte, recursive, outer));
    entries.push_back(std::move(entry));
  }
  return absl::OkStatus();
}

absl::StatusOr<WithEntry> Resolver::ResolveCte(const sql::Cte& cte, bool recursive, const Scope* outer) {
  const auto* set = sql::If<sql::SetOperation>(cte.query->body.get());
  bool plain = cte.query->with.empty() && cte.query->order_by.empty() && cte.query->limit == nullptr;
  if (recursive && set != nullptr && plain && set->inputs.size() >= 2 &&
      set->op.kind == sql::SetOperator::Kind::kUnion) {
    return ResolveRecursiveCte(cte, *set, outer);
  }
  WithEntry entry;
  entry.name = cte.name.text;
  LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveQuery(*cte.query, outer));
  entry.id = query_->next_cte++;
  CteInfo info{entry.id, entry.name, named.plan->columns, named.is_value_table};
  for (size_t i = 0; i < info.columns.size(); ++i) info.columns[i].name = named.columns[i].name;
  ctes_.push_back(std::move(info));
  entry.plan = std::move(named.plan);
  return entry;
}

// Resolves the recursion's base: all inputs but the last, which alone may read the entry itself.
absl::StatusOr<Named> Resolver::ResolveRecursionBase(const sql::Cte& cte, const sql::SetOperation& body,
                                                     const Scope* outer) {
  std::vector<Named> inputs;
  Spans spans;
  for (size_t i = 0; i + 1 < body.inputs.size(); ++i) {
    absl::StatusOr<Named> input = ResolveBody(*body.inputs[i], outer, nullptr);
    // Its name is not there yet, so that reading it is an error about a table that nobody meant.
    if (!input.ok() && IsAboutTable(input.status(), cte.name.text)) {
      return Error(body.inputs[i]->span,
                   StrCat("only the last input of the UNION may read the recursive ", cte.name.text, " itself"));
    }
    LOGQUERY_RETURN_IF_ERROR(input.status());
    inputs.push_back(*std::move(input));
    spans.push_back(body.inputs[i]->span);
  }
  if (inputs.size() == 1) return std::move(inputs[0]);
  return ResolveSetOperation(body.op, std::move(inputs), spans);
}

absl::StatusOr<WithEntry> Resolver::ResolveRecursiveCte(const sql::Cte& cte, const sql::SetOperation& body,
                                                        const Scope* outer) {
  WithEntry entry;
  entry.name = cte.name.text;
  entry.id = query_->next_cte++;
  LOGQUERY_ASSIGN_OR_RETURN(Named base, ResolveRecursionBase(cte, body, outer));
  CteInfo info{entry.id, entry.name, base.plan->columns, base.is_value_table};
  for (size_t i = 0; i < info.columns.size(); ++i) info.columns[i].name = base.columns[i].name;
  ctes_.push_back(info);
  LOGQUERY_ASSIGN_OR_RETURN(Named step, ResolveBody(*body.inputs.back(), outer, nullptr));
  std::vector<Named> inputs;
  inputs.push_back(std::move(base));
  inputs.push_back(std::move(step));
  LOGQUERY_ASSIGN_OR_RETURN(
      Named all, ResolveSetOperation(body.op, std::move(inputs), {body.inputs[0]->span, body.inputs.back()->span}));
  bool reads_itself = false;
  VisitPlans(*all.plan, [&](const Plan& plan) {
    const CteScan* scan = If<CteScan>(&plan);
    reads_itself = reads_itself || (scan != nullptr && scan->cte == entry.id);
  });
  entry.recursive = reads_itself;
  for (size_t i = 0; i < info.columns.size(); ++i) {
    if (reads_itself && !Type::SameLayout(all.plan->columns[i].type, info.columns[i].type)) {
      return Error(body.inputs[0]->span, StrCat("column ", i + 1, " of the recursive ", entry.name, " begins as ",
                                                info.columns[i].type.ToString(), " and goes on as ",
                                                all.plan->columns[i].type.ToString(), "; cast it"));
    }
  }
  CteInfo& visible = ctes_.back();
  visible.columns = all.plan->columns;
  for (size_t i = 0; i < info.columns.size(); ++i) visible.columns[i].name = info.columns[i].name;
  entry.plan = std::move(all.plan);
  return entry;
}

}  // namespace logquery::rewrite
