// Names: aliases, which win over columns, columns, lambda parameters, WITH expressions, and literals.
#include <algorithm>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/sql/text_error.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

namespace {

ScalarPtr StoredText(const Type& type, ScalarPtr stored) {
  if (type.is(TypeKind::kString)) return stored;
  if (type.is(TypeKind::kFloat64)) return Call("$ch.float_text", Type::String(), std::move(stored));
  return CastTo(std::move(stored), Type::String());
}

}  // namespace

Ex Resolver::ReadColumn(const RelColumn& column) {
  ScalarPtr read = std::make_unique<ColumnRef>(column.column);
  if (column.role == RelColumn::Role::kMap) {
    return {Call("TO_JSON_STRING", Type::String(), std::move(read)), MapType()};
  }
  if (column.role != RelColumn::Role::kAttribute) return {std::move(read), column.type};
  Ex text{IfNull(StoredText(column.column.type, Same(read)), Text("")), String()};
  text.stored = std::move(read);
  return text;
}

absl::StatusOr<const RelColumn*> Resolver::FindColumn(const Expr& name, SelectScope& scope) const {
  const std::string& column_name = name.path.back();
  const RelColumn* found = nullptr;
  for (const RelColumn& column : scope.rows.columns) {
    if (column.role == RelColumn::Role::kAttribute || column.name != column_name) continue;
    if (name.path.size() == 2 && column.table != name.path[0]) continue;
    if (found == nullptr || column.merged) found = &column;
  }
  return found;
}

absl::Status Resolver::UnknownColumn(const Expr& name, const SelectScope& scope) const {
  std::vector<std::string> names;
  for (const RelColumn& column : scope.rows.columns) {
    if (!column.name.empty()) names.push_back(column.name);
  }
  for (const auto& [alias, expr] : scope.aliases) names.push_back(alias);
  const std::string text = base::Join(name.path, ".");
  const bool of_logs = std::find(names.begin(), names.end(), "severity_text") != names.end();
  std::string advice;
  if (of_logs)
    advice = StrCat("; fields of the log are read as log_attributes['", text, "'], texts are written in single quotes");
  return Error(name.span, StrCat("the column ", text, " does not exist", advice), sql::NearestNames(text, names));
}

absl::StatusOr<Ex> Resolver::ResolveName(const Expr& name, SelectScope& scope) {
  if (name.path.size() > 2) return UnknownColumn(name, scope);
  if (name.path.size() == 1) {
    const std::string& text = name.path[0];
    for (size_t i = scope.lambda_names.size(); i-- > 0;) {
      if (scope.lambda_names[i].first == text) return Copy(scope.lambda_names[i].second);
    }
    const auto alias = scope.aliases.find(text);
    if (alias != scope.aliases.end() && !scope.resolving.contains(text))
      return ResolveAlias(text, *alias->second, scope);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const RelColumn* column, FindColumn(name, scope));
  if (column != nullptr) {
    Ex read = ReadColumn(*column);
    read.scalar->span = name.span;
    return read;
  }
  if (name.path.size() == 1) {
    for (size_t i = names_.size(); i-- > 0;) {
      const auto found = names_[i].find(name.path[0]);
      if (found == names_[i].end() || found->second.value == nullptr) continue;
      if (found->second.resolving) return Error(name.span, StrCat("the name ", name.path[0], " is defined by itself"));
      found->second.resolving = true;
      absl::StatusOr<Ex> value = ResolveExpr(*found->second.value, scope);
      names_[i].find(name.path[0])->second.resolving = false;
      return value;
    }
    if (base::EqualsIgnoreCase(name.path[0], "nan"))
      return Ex{Call("IEEE_DIVIDE", Type::Float64(), Floating(0), Floating(0)), Float64()};
    if (base::EqualsIgnoreCase(name.path[0], "inf"))
      return Ex{Call("IEEE_DIVIDE", Type::Float64(), Floating(1), Floating(0)), Float64()};
    if (scope.resolving.contains(name.path[0]))
      return Error(name.span, StrCat("the alias ", name.path[0], " is defined by itself"));
  }
  return UnknownColumn(name, scope);
}

absl::StatusOr<Ex> Resolver::ResolveAlias(const std::string& name, const Expr& expr, SelectScope& scope) {
  const auto known = scope.resolved.find(name);
  if (known == scope.resolved.end()) {
    scope.resolving.insert(name);
    absl::StatusOr<Ex> value = ResolveKind(expr, scope);
    scope.resolving.erase(name);
    LOGQUERY_RETURN_IF_ERROR(value.status());
    // The value may depend on what is being resolved: an alias inside of its own expression is the column.
    if (!scope.resolving.empty() || !scope.lambda_names.empty() || scope.in_aggregate) return value;
    scope.resolved.emplace(name, *std::move(value));
  }
  const Ex& value = scope.resolved.at(name);
  LOGQUERY_RETURN_IF_ERROR(CheckSize(value, expr.span));
  if (scope.in_aggregate && !scope.in_window) {
    bool nested = false;
    rewrite::VisitScalars(*value.scalar, [&](const rewrite::Scalar& part) {
      const ColumnRef* column = rewrite::If<ColumnRef>(&part);
      nested = nested || (column != nullptr && scope.made.contains(column->id));
    });
    if (nested)
      return Error(expr.span, StrCat("the alias ", name, " is an aggregate, and is read inside of another one"));
  }
  return Copy(value);
}

// Aliases are copied to where they are read; a chain of them must not grow without limit.
absl::Status Resolver::CheckSize(const Ex& value, Span span) {
  constexpr int64_t kMost = 200'000;
  rewrite::VisitScalars(*value.scalar, [&](const rewrite::Scalar&) { ++size_; });
  if (size_ <= kMost) return absl::OkStatus();
  return Error(span, "the query is too large where its aliases are replaced by their expressions");
}

absl::StatusOr<Ex> Resolver::ResolveNumber(const Expr& number) {
  const std::string& text = number.text;
  const bool hex = text.find_first_of("xX") != std::string::npos;
  if (hex) {
    uint64_t value = 0;
    const bool negative = text[0] == '-';
    if (!absl::SimpleHexAtoi(base::ToAbsl(std::string_view(text).substr(negative ? 1 : 0)), &value) ||
        (negative && value > INT64_MAX)) {
      return Error(number.span, StrCat("the number ", text, " is too large"));
    }
    if (value > INT64_MAX) return Ex{WideNumber(value), WideInt()};
    const auto small = static_cast<int64_t>(value);
    return Ex{Number(negative ? -small : small), negative ? Int(64, true) : UInt64()};
  }
  const bool is_integer = text.find_first_of(".eE") == std::string::npos;
  const std::optional<int64_t> value = is_integer ? functions::ParseChInt(text) : std::nullopt;
  if (!value) {
    uint64_t wide = 0;
    if (is_integer && absl::SimpleAtoi(base::ToAbsl(text), &wide)) return Ex{WideNumber(wide), WideInt()};
    // An integer that no type of 64 bits has is a float, too.
    double rounded = 0;
    if (!absl::SimpleAtod(base::ToAbsl(text), &rounded))
      return Error(number.span, StrCat("can't read the number ", text));
    return Ex{Floating(rounded), Float64()};
  }
  for (const int bits : {8, 16, 32}) {
    const int64_t limit = int64_t{1} << bits;
    if (*value >= 0 && *value < limit) return Ex{Number(*value), Int(bits, false)};
    if (*value < 0 && *value >= -limit / 2) return Ex{Number(*value), Int(bits, true)};
  }
  return Ex{Number(*value), *value < 0 ? Int(64, true) : UInt64()};
}

absl::StatusOr<Ex> Resolver::ResolveParameter(const Expr& parameter) {
  if (!in_definition_) return Error(parameter.span, "query parameters {name:Type} are not allowed here");
  absl::StatusOr<ChType> written = ParseType(parameter.type_name);
  if (!written.ok()) return Error(parameter.span, base::Message(written.status()));
  for (const Field& known : options_.parameters) {
    if (known.name != parameter.text) continue;
    if (known.type != written->PlanType()) {
      return Error(parameter.span, StrCat("the parameter ", known.name, " has the type ", known.type.ToString(),
                                          ", which is not ", parameter.type_name));
    }
    ScalarPtr read = std::make_unique<rewrite::ParameterRef>(known.name, known.type);
    read->span = parameter.span;
    return Ex{std::move(read), *std::move(written)};
  }
  std::vector<std::string> names;
  for (const Field& known : options_.parameters) names.push_back(known.name);
  return Error(parameter.span, StrCat("the parameter ", parameter.text, " is not declared"),
               sql::NearestNames(parameter.text, names));
}

}  // namespace logquery::clickhouse_sql
