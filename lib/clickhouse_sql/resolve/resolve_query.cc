// The statement: unions, the form of answers, and the WITH around everything.
#include <algorithm>

#include "lib/base/json/value.h"
#include "lib/base/limits.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/repeated_subqueries.h"
#include "lib/sql/text_error.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;
using rewrite::Project;

absl::Status Resolver::Error(Span span, std::string_view message, std::vector<std::string> nearest) const {
  return sql::TextError(text_, span, message, std::move(nearest));
}

void Resolver::EnterSandbox(const Definition& definition, rewrite::SandboxUse* use) {
  definition_ = &definition;
  in_definition_ = false;
  use_ = use;
}

absl::StatusOr<Relation> Resolver::ResolvePart(const Query::Part& part, const WantedKeys* wanted) {
  if (part.query != nullptr) return ResolveQuery(*part.query, wanted);
  return ResolveSelect(*part.select, wanted);
}

absl::StatusOr<Relation> Resolver::ResolveQuery(const Query& query, const WantedKeys* wanted) {
  // The WITH of a union's first SELECT is that of all.
  const size_t levels = names_.size();
  const bool shares =
      query.parts.size() > 1 && query.parts[0].select != nullptr && !query.parts[0].select->with.empty();
  if (shares) {
    SelectScope scope;
    LOGQUERY_RETURN_IF_ERROR(CollectAliases(*query.parts[0].select, scope));
  }
  LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ResolvePart(query.parts[0], query.parts.size() == 1 ? wanted : nullptr));
  for (size_t i = 1; i < query.parts.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Relation next, ResolvePart(query.parts[i], nullptr));
    LOGQUERY_ASSIGN_OR_RETURN(
        rows, Unite(std::move(rows), std::move(next), query.parts[i].distinct, query.parts[i].operator_span));
  }
  names_.resize(levels);
  return rows;
}

absl::StatusOr<Relation> Resolver::ConvertColumns(Relation rows, const std::vector<ChType>& types, Span span) {
  auto project = std::make_unique<Project>(std::move(rows.plan));
  for (size_t i = 0; i < types.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, Convert(ReadColumn(rows.columns[i]), types[i], span));
    rows.columns[i].column = NewColumn(rows.columns[i].name, types[i].PlanType());
    rows.columns[i].type = types[i];
    rows.columns[i].role = RelColumn::Role::kPlain;
    project->computed.push_back({rows.columns[i].column, std::move(value.scalar)});
    project->columns.push_back(rows.columns[i].column);
  }
  rows.plan = std::move(project);
  return rows;
}

absl::StatusOr<Relation> Resolver::Unite(Relation left, Relation right, bool distinct, Span span) {
  const auto drop_hidden = [](Relation& rows) {
    rows.columns.erase(std::remove_if(rows.columns.begin(), rows.columns.end(),
                                      [](const RelColumn& c) { return c.role == RelColumn::Role::kAttribute; }),
                       rows.columns.end());
  };
  drop_hidden(left);
  drop_hidden(right);
  if (left.columns.size() != right.columns.size()) {
    return Error(span, StrCat("the SELECTs of a UNION have ", left.columns.size(), " and ",
                              base::Counted(right.columns.size(), "column")));
  }
  std::vector<ChType> types;
  for (size_t i = 0; i < left.columns.size(); ++i) {
    const std::optional<ChType> type = CommonType(left.columns[i].type, right.columns[i].type);
    if (!type) {
      return Error(span, StrCat("column ", i + 1, " of the UNION is ", left.columns[i].type.ToString(), " and ",
                                right.columns[i].type.ToString()));
    }
    types.push_back(*type);
  }
  LOGQUERY_ASSIGN_OR_RETURN(left, ConvertColumns(std::move(left), types, span));
  LOGQUERY_ASSIGN_OR_RETURN(right, ConvertColumns(std::move(right), types, span));
  auto set = std::make_unique<rewrite::SetOperationPlan>(sql::SetOperator::Kind::kUnion, distinct);
  Relation rows;
  for (const RelColumn& column : left.columns) {
    RelColumn united = column;
    united.column = NewColumn(column.name, column.column.type);
    set->columns.push_back(united.column);
    rows.columns.push_back(std::move(united));
  }
  // A chain of UNION ALL is one node.
  if (auto* chain = rewrite::If<rewrite::SetOperationPlan>(rewrite::As<Project>(*left.plan).input.get());
      chain != nullptr && !chain->distinct && !distinct) {
    for (PlanPtr& input : chain->inputs) {
      const rewrite::ColumnMap none;
      auto project = std::make_unique<Project>(std::move(input));
      for (size_t i = 0; i < types.size(); ++i) {
        RelColumn inner = left.columns[i];
        inner.column = project->input->columns[i];
        inner.type = left.columns[i].type;
        ScalarPtr value = std::make_unique<ColumnRef>(project->input->columns[i]);
        // The chain's own projection has the conversions: repeat them on the input's column.
        const rewrite::Computed& computed = rewrite::As<Project>(*left.plan).computed[i];
        ScalarPtr converted = rewrite::Clone(*computed.value);
        const ColumnId from = chain->columns[i].id;
        const absl::Status done = rewrite::RewriteScalar(converted, [&](ScalarPtr& part) {
          const ColumnRef* column = rewrite::If<ColumnRef>(part.get());
          if (column != nullptr && column->id == from) part = rewrite::Clone(*value);
          return absl::OkStatus();
        });
        done.IgnoreError();  // the callback never fails
        project->computed.push_back({NewColumn(inner.name, types[i].PlanType()), std::move(converted)});
        project->columns.push_back(project->computed.back().column);
      }
      set->inputs.push_back(std::move(project));
    }
  } else {
    set->inputs.push_back(std::move(left.plan));
  }
  set->inputs.push_back(std::move(right.plan));
  rows.plan = std::move(set);
  return rows;
}

absl::StatusOr<Relation> Resolver::Distinct(Relation rows) {
  auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(rows.plan));
  for (RelColumn& column : rows.columns) {
    ScalarPtr read = std::make_unique<ColumnRef>(column.column);
    column.column = NewColumn(column.name, column.column.type);
    aggregate->keys.push_back({column.column, std::move(read)});
    aggregate->columns.push_back(column.column);
  }
  rows.plan = std::move(aggregate);
  return rows;
}

// The form in which an answer has a value, where the plan's own JSON differs from what clients of this language read.
absl::StatusOr<ScalarPtr> Resolver::AnswerForm(Ex value, Span span) {
  switch (value.type.kind) {
    case ChKind::kFloat: {
      const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(value.scalar.get());
      if (constant != nullptr) return std::move(value.scalar);
      std::vector<ScalarPtr> odd;
      odd.push_back(Call("IS_NAN", Type::Bool(), Same(value.scalar)));
      odd.push_back(Call("IS_INF", Type::Bool(), Same(value.scalar)));
      return If(Or(std::move(odd)), NullOf(Type::Float64()), std::move(value.scalar));
    }
    case ChKind::kDateTime:
    case ChKind::kDateTime64: {
      const int digits = value.type.Is(ChKind::kDateTime) ? 0 : std::min(value.type.precision, 6);
      return Call("$ch.answer_text", Type::String(), std::move(value.scalar), Number(digits), Text(value.type.Zone()),
                  True(!value.type.zone.empty()));
    }
    case ChKind::kMap:
      return Call("PARSE_JSON", Type::Json(), Text("exact"), std::move(value.scalar));
    case ChKind::kWideInt:
      return Call("PARSE_JSON", Type::Json(), Text("exact"),
                  clickhouse_sql::CastTo(std::move(value.scalar), Type::String()));
    case ChKind::kDecimal: {
      // NUMERIC drops zeros at the end; the type's scale keeps them.
      ScalarPtr text = clickhouse_sql::CastTo(std::move(value.scalar), Type::String());
      if (value.type.scale == 0) return text;
      std::vector<ScalarPtr> parts;
      parts.push_back(Same(text));
      const ScalarPtr point = Call("STRPOS", Type::Int64(), Same(text), Text("."));
      ScalarPtr whole = Call("$equal", Type::Bool(), Same(point), Number(0));
      parts.push_back(If(std::move(whole), Text("."), Text("")));
      parts.push_back(Text(std::string(static_cast<size_t>(value.type.scale), '0')));
      ScalarPtr padded = Call("$concat", Type::String(), std::move(parts));
      ScalarPtr size =
          Call("$add", Type::Int64(), Call("STRPOS", Type::Int64(), Same(padded), Text(".")), Number(value.type.scale));
      return Call("SUBSTR", Type::String(), std::move(padded), Number(1), std::move(size));
    }
    case ChKind::kArray: {
      const ChType& element = value.type.parts[0];
      const bool as_is = !element.Is(ChKind::kDateTime) && !element.Is(ChKind::kDateTime64) &&
                         !element.Is(ChKind::kFloat) && !element.Is(ChKind::kTuple) && !element.Is(ChKind::kMap) &&
                         !element.Is(ChKind::kDecimal) && !element.Is(ChKind::kWideInt);
      if (as_is) return std::move(value.scalar);
      const PlanColumn name = NewColumn("x", element.PlanType());
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr body, AnswerForm({std::make_unique<ColumnRef>(name), element}, span));
      const Type type = Type::Array(body->type);
      ScalarPtr lambda = std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{name}, std::move(body));
      return Call("ARRAY_TRANSFORM", type, std::move(value.scalar), std::move(lambda));
    }
    case ChKind::kTuple: {
      // A tuple whose parts have names is an object, otherwise a list.
      const bool named = !value.type.names.empty();
      std::vector<ScalarPtr> texts;
      const size_t size = value.type.parts.size();
      for (size_t i = 0; i < size; ++i) {
        ScalarPtr field = std::make_unique<rewrite::FieldRef>(Same(value.scalar), static_cast<int>(i));
        LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr part, AnswerForm({std::move(field), value.type.parts[i]}, span));
        std::string before = i > 0 ? "," : named ? "{" : "[";
        if (named) base::StrAppend(&before, base::Json(value.type.names[i]).ToString(), ":");
        texts.push_back(Text(std::move(before)));
        // TO_JSON_STRING would put integers that no FLOAT64 has between quotes.
        const bool integer = part->type.is(TypeKind::kInt64);
        texts.push_back(integer ? IfNull(clickhouse_sql::CastTo(std::move(part), Type::String()), Text("null"))
                                : Call("TO_JSON_STRING", Type::String(), std::move(part)));
      }
      texts.push_back(Text(size == 0 ? "[]" : named ? "}" : "]"));
      return Call("PARSE_JSON", Type::Json(), Text("exact"), Call("$concat", Type::String(), std::move(texts)));
    }
    default:
      return std::move(value.scalar);
  }
}

// The result, in the form of answers.
absl::Status Resolver::Finish(Relation rows) {
  auto project = std::make_unique<Project>(std::move(rows.plan));
  std::set<std::string> names;
  for (const RelColumn& column : rows.columns) {
    if (column.role == RelColumn::Role::kAttribute) continue;
    if (!names.insert(column.name).second) {
      return Error({}, StrCat("two columns of the result are named ", column.name, "; give one another alias"));
    }
    Ex value = ReadColumn(column);
    const bool as_is = rewrite::If<ColumnRef>(value.scalar.get()) != nullptr;
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr form, AnswerForm(std::move(value), {}));
    const Type type = form->type;
    if (as_is && rewrite::If<ColumnRef>(form.get()) != nullptr) {
      project->columns.push_back(column.column);
    } else {
      project->computed.push_back({NewColumn(column.name, type), std::move(form)});
      project->columns.push_back(project->computed.back().column);
    }
    query_->schema.push_back({column.name, type});
  }
  PlanPtr body = std::move(project);
  if (!entries_.empty()) {
    auto with = std::make_unique<rewrite::With>();
    with->entries = std::move(entries_);
    with->columns = body->columns;
    with->body = std::move(body);
    body = std::move(with);
  }
  query_->root = std::move(body);
  CollapseUnions();
  rewrite::RefreshColumns(*query_->root);
  rewrite::SeparateRepeatedSubqueries(*query_);
  return absl::OkStatus();
}

absl::Status Resolver::Run(const Query& query) {
  LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ResolveQuery(query, nullptr));
  return Finish(std::move(rows));
}

absl::StatusOr<rewrite::QueryPlan> Resolve(const Query& query, std::string_view text, const ResolveOptions& options) {
  rewrite::QueryPlan plan;
  LOGQUERY_RETURN_IF_ERROR(Resolver(text, options, &plan).Run(query));
  return plan;
}

absl::StatusOr<rewrite::QueryPlan> ResolveSandboxed(const Query& query, std::string_view text,
                                                    const Definition& definition, const ResolveOptions& options,
                                                    rewrite::SandboxUse* use) {
  rewrite::QueryPlan plan;
  Resolver resolver(text, options, &plan);
  resolver.EnterSandbox(definition, use);
  LOGQUERY_RETURN_IF_ERROR(resolver.Run(query));
  return plan;
}

}  // namespace logquery::clickhouse_sql
