// Resolves queries as a whole: WITH, the body, ORDER BY and LIMIT.
#include <algorithm>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/learned_names.h"
#include "lib/rewrite/resolve/repeated_subqueries.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

absl::Status Resolver::Error(sql::Span place, std::string_view message, std::vector<std::string> nearest) const {
  return sql::TextError(text_, place, message, WithoutLearnedNames(std::move(nearest), options_.catalog));
}

absl::Status Resolver::Unsupported(sql::Span place, std::string_view message) const {
  return sql::TextErrorWithCode(absl::StatusCode::kUnimplemented, text_, place, message);
}

absl::Status Resolver::At(sql::Span place, const absl::Status& status) const {
  return sql::TextErrorWithCode(status.code(), text_, place, base::Message(status));
}

absl::StatusOr<ScalarPtr> Resolver::CoerceAt(ScalarPtr scalar, const Type& type, const char* what) {
  sql::Span place = scalar->span;
  if (!CoercionCost(*scalar, type)) {
    return Error(place, StrCat(std::string_view(what), " wants ", type.ToString(), ", not ", scalar->type.ToString()));
  }
  absl::StatusOr<ScalarPtr> coerced = Coerce(std::move(scalar), type, options_.time_zone);
  if (!coerced.ok()) return At(place, coerced.status());
  return coerced;
}

// Forgets on leaving what a WITH clause made visible.
class Resolver::CteScope {
 public:
  explicit CteScope(Resolver* resolver) : resolver_(resolver), size_(resolver->ctes_.size()) {}
  ~CteScope() { resolver_->ctes_.resize(size_); }
  CteScope(const CteScope&) = delete;
  CteScope& operator=(const CteScope&) = delete;

 private:
  Resolver* resolver_;
  size_t size_;
};

absl::StatusOr<Named> Resolver::ResolveQuery(const sql::Query& query, const Scope* outer) {
  CteScope visible(this);
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<WithEntry> entries, ResolveWith(query, outer));
  Named named;
  if (query.pipes.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(named, ResolveCore(query, outer));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(named, ResolvePipes(query, outer, entries));
  }
  if (!entries.empty()) {
    auto with = std::make_unique<With>();
    with->entries = std::move(entries);
    with->columns = named.plan->columns;
    with->body = std::move(named.plan);
    named.plan = std::move(with);
  }
  return named;
}

// Resolves the part between WITH and the pipe operators.
absl::StatusOr<Named> Resolver::ResolveCore(const sql::Query& query, const Scope* outer) {
  bool in_select = query.body->kind == sql::BodyKind::kSelect;
  const std::vector<sql::OrderItem>* order_by = query.order_by.empty() ? nullptr : &query.order_by;
  LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveBody(*query.body, outer, in_select ? order_by : nullptr));
  if (order_by != nullptr && !in_select) {
    LOGQUERY_ASSIGN_OR_RETURN(named, OrderOutput(std::move(named), *order_by, outer));
  }
  // A SELECT that sorted by something it does not show has that column behind the shown ones until LIMIT is through.
  LOGQUERY_ASSIGN_OR_RETURN(named.plan, ApplyLimit(std::move(named.plan), query.limit.get(), query.offset.get()));
  if (named.plan->columns.size() != named.columns.size()) {
    auto project = std::make_unique<Project>(std::move(named.plan));
    for (const VisibleName& name : named.columns) project->columns.push_back(name.column);
    named.plan = std::move(project);
  }
  return named;
}

absl::StatusOr<Named> Resolver::ResolveBody(const sql::QueryBody& body, const Scope* outer,
                                            const std::vector<sql::OrderItem>* order_by) {
  switch (body.kind) {
    case sql::BodyKind::kSelect:
      return ResolveSelect(sql::As<sql::Select>(body), outer, order_by);
    case sql::BodyKind::kParenthesized:
      return ResolveQuery(*sql::As<sql::ParenthesizedBody>(body).query, outer);
    case sql::BodyKind::kSetOperation: {
      const auto& set = sql::As<sql::SetOperation>(body);
      std::vector<Named> inputs;
      std::vector<sql::Span> spans;
      for (const sql::QueryBodyPtr& input : set.inputs) {
        LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveBody(*input, outer, nullptr));
        if (named.plan->columns.size() != named.columns.size()) return absl::InternalError("hidden column in a set");
        inputs.push_back(std::move(named));
        spans.push_back(input->span);
      }
      return ResolveSetOperation(set.op, std::move(inputs), spans);
    }
    case sql::BodyKind::kFrom: {
      LOGQUERY_ASSIGN_OR_RETURN(FromResult from, ResolveFrom(*sql::As<sql::FromBody>(body).from, outer, nullptr));
      return ToNamed(std::move(from), body.span);
    }
  }
  return absl::InternalError("unknown kind of query body");
}

OrderKey Resolver::MakeKey(const sql::OrderItem& item, ScalarPtr value) {
  OrderKey key;
  key.descending = item.descending;
  key.nulls_first = item.nulls == sql::NullsOrder::kDefault ? !item.descending : item.nulls == sql::NullsOrder::kFirst;
  key.value = std::move(value);
  return key;
}

absl::Status Resolver::CheckOrder(const sql::OrderItem& item, const Scalar& value) {
  if (item.collate != nullptr) return Unsupported(item.collate->span, "COLLATE is not supported");
  if (!IsOrderable(value.type)) {
    return Error(item.expr->span, StrCat("can't order by a value of type ", value.type.ToString()));
  }
  return absl::OkStatus();
}

// ORDER BY after a set operation or a parenthesised query: over the output's columns.
absl::StatusOr<Named> Resolver::OrderOutput(Named input, const std::vector<sql::OrderItem>& items, const Scope* outer) {
  Scope scope(outer);
  if (input.is_value_table) {
    scope.columns = NamesOfValue(input.columns[0].column, "");
  } else {
    scope.columns = input.columns;
  }
  ExprContext context{&scope, "ORDER BY", nullptr, false, nullptr, false};
  std::vector<OrderKey> keys;
  for (const sql::OrderItem& item : items) {
    ScalarPtr value;
    const auto* literal = sql::If<sql::Literal>(item.expr.get());
    if (literal != nullptr && literal->form == sql::Literal::Form::kInteger) {
      int64_t place = std::atoll(literal->text.c_str());
      if (place < 1 || place > static_cast<int64_t>(input.columns.size())) {
        return Error(literal->span, StrCat("ORDER BY ", literal->text, ": the query has ",
                                           base::Counted(input.columns.size(), "column")));
      }
      value = std::make_unique<ColumnRef>(input.plan->columns[place - 1]);
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(value, ResolveExpr(*item.expr, context));
    }
    LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *value));
    keys.push_back(MakeKey(item, std::move(value)));
  }
  input.plan = std::make_unique<Sort>(std::move(input.plan), std::move(keys));
  return input;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveCount(const sql::Expr& expr, const char* clause) {
  Scope nothing(nullptr);
  ExprContext context{&nothing, clause, nullptr, false, nullptr, false};
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr count, ResolveExpr(expr, context));
  const Scalar* source = count.get();
  while (const Cast* cast = If<Cast>(source)) source = cast->operand.get();
  bool fixed = source->kind == ScalarKind::kConstant || source->kind == ScalarKind::kParameter;
  if (!fixed || !count->type.is(TypeKind::kInt64)) {
    return Error(expr.span, StrCat(std::string_view(clause), " wants an integer literal or an INT64 parameter"));
  }
  if (source->kind == ScalarKind::kConstant && CanEvaluate(*count)) {
    // An error of the cast is told where the query is planned.
    absl::StatusOr<Value> value = Evaluate(*count, {}, nullptr);
    if (value.ok()) count = std::make_unique<Constant>(*std::move(value));
  }
  if (const Constant* constant = If<Constant>(count.get())) {
    if (constant->value.is_null() || constant->value.int64_value() < 0) {
      return Error(expr.span, StrCat(std::string_view(clause), " can't be negative or NULL"));
    }
  }
  return count;
}

absl::StatusOr<PlanPtr> Resolver::ApplyLimit(PlanPtr plan, const sql::Expr* limit, const sql::Expr* offset) {
  if (limit == nullptr && offset == nullptr) return plan;
  ScalarPtr count, skip;
  if (limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(count, ResolveCount(*limit, "LIMIT"));
  }
  if (offset != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(skip, ResolveCount(*offset, "OFFSET"));
  }
  return PlanPtr(std::make_unique<Limit>(std::move(plan), std::move(count), std::move(skip)));
}

void Resolver::EnterSandbox(std::string_view text, const std::vector<std::string>& private_ctes, SandboxUse* use) {
  text_ = text;
  in_sandbox_ = true;
  use_ = use;
  for (CteInfo& cte : ctes_) {
    sandbox_names_.push_back(cte.name);
    cte.of_endpoint = true;
    for (const std::string& name : private_ctes) cte.hidden = cte.hidden || base::EqualsIgnoreCase(name, cte.name);
  }
}

void Resolver::NoteUse(std::vector<std::string> SandboxUse::*list, const std::string& name) {
  if (use_ == nullptr) return;
  std::vector<std::string>& names = use_->*list;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

namespace {

// Output names: unnamed columns are f0_, f1_ …; two of one name are refused.
absl::Status NameOutput(const Named& named, std::string_view text, sql::Span span, const ResolveOptions& options,
                        QueryPlan& query) {
  base::NameSet names;
  int unnamed = 0;
  for (size_t i = 0; i < named.columns.size(); ++i) {
    std::string name = named.columns[i].name;
    if (name.empty()) name = StrCat("f", unnamed++, "_");
    if (options.check_output && !names.insert(name).second) {
      return sql::TextError(text, span,
                            StrCat("two columns of the result are named ", name, "; give one another alias"));
    }
    query.schema.push_back({std::move(name), named.plan->columns[i].type});
  }
  return absl::OkStatus();
}

// A value table's rows are its struct's fields to the caller.
Named ExpandValueTable(Named named, QueryPlan& query) {
  if (!named.is_value_table || !named.columns[0].column.type.is_struct()) return named;
  PlanColumn value = named.plan->columns[0];
  auto project = std::make_unique<Project>(std::move(named.plan));
  named.columns.clear();
  for (size_t i = 0; i < value.type.fields().size(); ++i) {
    const Field& field = value.type.fields()[i];
    ScalarPtr read = std::make_unique<FieldRef>(std::make_unique<ColumnRef>(value), static_cast<int>(i));
    project->computed.push_back({query.NewColumn(field.name, field.type), std::move(read)});
    project->columns.push_back(project->computed.back().column);
    named.columns.push_back({field.name, project->columns.back()});
  }
  named.plan = std::move(project);
  named.is_value_table = false;
  return named;
}

}  // namespace

absl::StatusOr<QueryPlan> Resolve(const sql::Query& query, std::string_view text, const ResolveOptions& options) {
  QueryPlan plan;
  Resolver resolver(text, options, &plan);
  LOGQUERY_ASSIGN_OR_RETURN(Named named, resolver.ResolveQuery(query, nullptr));
  if (options.check_output) named = ExpandValueTable(std::move(named), plan);
  LOGQUERY_RETURN_IF_ERROR(NameOutput(named, text, query.body->span, options, plan));
  plan.root = std::move(named.plan);
  SeparateRepeatedSubqueries(plan);
  return plan;
}

absl::StatusOr<QueryPlan> ResolveSandboxed(const sql::Query& query, std::string_view text, const Sandbox& sandbox,
                                           const ResolveOptions& options, SandboxUse* use) {
  QueryPlan plan;
  Resolver resolver(sandbox.endpoint_text, options, &plan);
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<WithEntry> entries, resolver.ResolveEntriesRead(*sandbox.endpoint, query));
  for (WithEntry& entry : entries) entry.endpoint = true;
  resolver.EnterSandbox(text, sandbox.private_ctes, use);
  LOGQUERY_ASSIGN_OR_RETURN(Named named, resolver.ResolveQuery(query, nullptr));
  named = ExpandValueTable(std::move(named), plan);
  LOGQUERY_RETURN_IF_ERROR(NameOutput(named, text, query.body->span, options, plan));
  auto with = std::make_unique<With>();
  with->entries = std::move(entries);
  with->columns = named.plan->columns;
  with->body = std::move(named.plan);
  plan.root = std::move(with);
  SeparateRepeatedSubqueries(plan);
  return plan;
}

}  // namespace logquery::rewrite
