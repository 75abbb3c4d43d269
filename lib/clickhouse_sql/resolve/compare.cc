// Comparisons and IN.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

// Compares the text of an attribute with a literal by the stored value where that is the same for every text.
absl::StatusOr<Ex> Resolver::EqualText(const std::string& function, Ex& attribute, const std::string& text) {
  const bool equal = function == "equals";
  const auto made = [&](ScalarPtr condition) {
    return Ex{equal ? std::move(condition) : Not(std::move(condition)), UInt8(), true};
  };
  ScalarPtr stored = std::move(attribute.stored);
  const Type type = stored->type;
  if (text.empty()) {
    ScalarPtr absent = IsNull(Same(stored));
    if (!type.is(TypeKind::kString)) return made(std::move(absent));
    std::vector<ScalarPtr> either;
    either.push_back(std::move(absent));
    either.push_back(Call("$equal", Type::Bool(), std::move(stored), Text("")));
    return made(Or(std::move(either)));
  }
  ScalarPtr literal;
  if (type.is(TypeKind::kString)) {
    literal = Text(text);
  } else if (type.is(TypeKind::kInt64)) {
    const std::optional<int64_t> number = functions::ParseChInt(text);
    if (!number || StrCat(*number) != text) return made(True(false));  // no integer has this text
    literal = Number(*number);
  } else if (type.is(TypeKind::kBool)) {
    if (text != "true" && text != "false") return made(True(false));
    literal = True(text == "true");
  } else {
    return made(Call("$equal", Type::Bool(), std::move(attribute.scalar), Text(text)));
  }
  return made(IfNull(Call("$equal", Type::Bool(), std::move(stored), std::move(literal)), True(false)));
}

namespace {

std::string_view PlanComparison(std::string_view function) {
  if (function == "equals") return "$equal";
  if (function == "notEquals") return "$not_equal";
  if (function == "less") return "$less";
  if (function == "lessOrEquals") return "$less_or_equal";
  return function == "greater" ? "$greater" : "$greater_or_equal";
}

std::string Mirrored(const std::string& function) {
  if (function == "less") return "greater";
  if (function == "lessOrEquals") return "greaterOrEquals";
  if (function == "greater") return "less";
  return function == "greaterOrEquals" ? "lessOrEquals" : function;
}

}  // namespace

absl::StatusOr<Ex> Resolver::Compare(const std::string& function, Ex a, Ex b, Span span) {
  const bool nullable = a.type.nullable || b.type.nullable;
  if (a.type.Is(ChKind::kNothing) || b.type.Is(ChKind::kNothing)) return Ex{NullOf(Type::Int64()), NothingType()};
  const std::optional<std::string> text_a = LiteralText(a), text_b = LiteralText(b);
  if (text_a && !text_b) return Compare(Mirrored(function), std::move(b), std::move(a), span);
  const bool equality = function == "equals" || function == "notEquals";
  if (text_b && a.stored != nullptr && equality) return EqualText(function, a, *text_b);
  const auto made = [&](ScalarPtr x, ScalarPtr y) {
    ScalarPtr condition = Call(PlanComparison(function), Type::Bool(), std::move(x), std::move(y));
    condition->span = span;
    return Ex{std::move(condition), UInt8().Nullable(nullable), true};
  };
  if (a.type.Is(ChKind::kString) && b.type.Is(ChKind::kString)) return made(std::move(a.scalar), std::move(b.scalar));
  const bool times = a.type.IsTime() || b.type.IsTime();
  constexpr size_t kDateSize = 10;
  if (a.type.Is(ChKind::kDate) && text_b && text_b->size() != kDateSize)
    return Error(span, StrCat("can't read a Date in the text '", text_b->substr(0, 60), "'; write '2026-03-04'"));
  if (times && (a.type.IsTime() || text_a) && (b.type.IsTime() || text_b)) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr x, ToTime(std::move(a), span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr y, ToTime(std::move(b), span));
    return made(std::move(x), std::move(y));
  }
  if (a.type.IsNumber() && text_b) {
    const ChType type = a.condition || a.type.Is(ChKind::kBool) ? UInt8() : a.type;
    const std::optional<int64_t> whole = functions::ParseChInt(*text_b);
    const std::optional<double> number = functions::ParseChFloat(*text_b);
    if (type.Is(ChKind::kInt) ? !whole : !number)
      return Error(span, StrCat("can't read the text '", text_b->substr(0, 60), "' as ", type.ToString()));
    b = type.Is(ChKind::kInt) ? Ex{Number(*whole), type} : Ex{Floating(*number), Float64()};
  }
  if (a.type.Is(ChKind::kWideInt) || b.type.Is(ChKind::kWideInt)) {
    if (text_b) {
      const std::optional<uint64_t> bits = ConstantBits(b);
      if (!bits) return Error(span, StrCat("can't read the text '", text_b->substr(0, 60), "' as UInt64"));
      b = {WideNumber(*bits), WideInt()};
    }
    const ChType type = a.type.Is(ChKind::kFloat) || b.type.Is(ChKind::kFloat) ? Float64() : WideInt();
    LOGQUERY_ASSIGN_OR_RETURN(Ex x, Convert(std::move(a), type, span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex y, Convert(std::move(b), type, span));
    return made(std::move(x.scalar), std::move(y.scalar));
  }
  if (a.type.IsNumber() && b.type.IsNumber()) {
    a = Plain(std::move(a));
    b = Plain(std::move(b));
    const bool both_bool = a.type.Is(ChKind::kBool) && b.type.Is(ChKind::kBool);
    for (Ex* side : {&a, &b}) {
      if (both_bool || !side->type.Is(ChKind::kBool)) continue;
      LOGQUERY_ASSIGN_OR_RETURN(*side, Convert(std::move(*side), UInt8(), span));
      side->type = UInt8().Nullable(side->type.nullable);
    }
    LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Common({&a.type, &b.type}, span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex x, Convert(std::move(a), type, span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex y, Convert(std::move(b), type, span));
    return made(std::move(x.scalar), std::move(y.scalar));
  }
  if (a.type.Is(ChKind::kTuple) && b.type.Is(ChKind::kTuple) && a.type.parts.size() == b.type.parts.size() &&
      !a.type.parts.empty()) {
    // Lexicographic: from the last field to the first one.
    ScalarPtr result;
    const std::string strict = function == "lessOrEquals"      ? "less"
                               : function == "greaterOrEquals" ? "greater"
                                                               : function;
    for (size_t i = a.type.parts.size(); i-- > 0;) {
      const auto field = [&](const Ex& value) {
        return Ex{std::make_unique<rewrite::FieldRef>(Same(value.scalar), static_cast<int>(i)), value.type.parts[i]};
      };
      const bool last = result == nullptr;
      LOGQUERY_ASSIGN_OR_RETURN(Ex part, Compare(last ? function : strict, field(a), field(b), span));
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(part), span));
      if (last) {
        result = std::move(condition);
        continue;
      }
      std::vector<ScalarPtr> parts;
      if (equality) {
        parts.push_back(std::move(condition));
        parts.push_back(std::move(result));
        result = function == "equals" ? And(std::move(parts)) : Or(std::move(parts));
        continue;
      }
      LOGQUERY_ASSIGN_OR_RETURN(Ex same, Compare("equals", field(a), field(b), span));
      std::vector<ScalarPtr> both;
      both.push_back(std::move(same.scalar));
      both.push_back(std::move(result));
      parts.push_back(std::move(condition));
      parts.push_back(And(std::move(both)));
      result = Or(std::move(parts));
    }
    return Ex{std::move(result), UInt8().Nullable(nullable), true};
  }
  if ((a.type.Is(ChKind::kMap) || a.type.Is(ChKind::kArray)) && a.type.kind == b.type.kind && equality) {
    return made(Call("TO_JSON_STRING", Type::String(), std::move(a.scalar)),
                Call("TO_JSON_STRING", Type::String(), std::move(b.scalar)));
  }
  const bool text_and_number =
      (a.type.Is(ChKind::kString) && b.type.IsNumber()) || (b.type.Is(ChKind::kString) && a.type.IsNumber());
  return Error(span, StrCat("can't compare ", a.type.ToString(), " with ", b.type.ToString(),
                            text_and_number ? "; convert the text by toInt32OrZero or toFloat64OrZero" : ""));
}

absl::StatusOr<Ex> Resolver::InSubquery(Ex value, const Expr& rows_expr, Span span) {
  LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ResolveQuery(*rows_expr.query, nullptr));
  if (rows.columns.size() != 1) return Error(rows_expr.span, "IN wants a subquery with one column");
  value = Plain(std::move(value));
  Ex read = ReadColumn(rows.columns[0]);
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Common({&value.type, &read.type}, span));
  LOGQUERY_ASSIGN_OR_RETURN(rows, ConvertColumns(std::move(rows), {type}, span));
  LOGQUERY_ASSIGN_OR_RETURN(Ex left, Convert(std::move(value), type, span));
  const bool nullable = left.type.nullable;
  auto in =
      std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kIn, Type::Bool(), std::move(rows.plan));
  ScalarPtr is_null = nullable ? IsNull(Same(left.scalar)) : nullptr;
  in->value = std::move(left.scalar);
  in->span = span;
  // NULLs among the rows are no values: a value that is not found is not in the list. For NULL neither holds, also without rows.
  ScalarPtr found = IfNull(std::move(in), True(false));
  if (nullable) found = If(std::move(is_null), NullOf(Type::Bool()), std::move(found));
  return Ex{std::move(found), UInt8().Nullable(nullable), true};
}

absl::StatusOr<Ex> Resolver::ResolveIn(const Expr& call, SelectScope& scope) {
  const bool negated = call.text == "notIn";
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*call.args[0], scope));
  const auto finish = [&](Ex found) {
    if (negated) found.scalar = Not(std::move(found.scalar));
    return found;
  };
  const Expr& list = *call.args[1];
  if (list.kind == ExprKind::kSubquery) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex found, InSubquery(std::move(value), list, call.span));
    return finish(std::move(found));
  }
  const bool tuple_value = value.type.Is(ChKind::kTuple);
  std::vector<const Expr*> items;
  const bool is_list = list.kind == ExprKind::kCall && (list.text == "tuple" || list.text == "array");
  const bool one_tuple = is_list && tuple_value && !list.args.empty() &&
                         !(list.args[0]->kind == ExprKind::kCall && list.args[0]->text == "tuple");
  if (is_list && !one_tuple) {
    for (const ExprPtr& item : list.args) items.push_back(item.get());
  } else {
    items.push_back(&list);
  }
  // Equality with each, so that texts are compared as elsewhere; NULLs in the list equal nothing.
  std::vector<ScalarPtr> found;
  std::vector<ScalarPtr> texts;
  for (const Expr* item : items) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex candidate, ResolveExpr(*item, scope));
    if (candidate.type.Is(ChKind::kNothing)) continue;
    const std::optional<std::string> text = LiteralText(candidate);
    if (text && value.type.Is(ChKind::kString) && value.stored == nullptr) {
      texts.push_back(std::move(candidate.scalar));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(Ex equal, Compare("equals", Copy(value), std::move(candidate), item->span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(equal), item->span));
    found.push_back(std::move(condition));
  }
  if (value.stored != nullptr && found.size() > 1) {
    // One IN of the stored value, where every comparison is `IFNULL(stored = literal, FALSE)`.
    std::vector<ScalarPtr> literals;
    literals.push_back(Same(value.stored));
    for (const ScalarPtr& condition : found) {
      if (!rewrite::IsCallOf(*condition, "IFNULL")) break;
      const auto& equal =
          rewrite::As<rewrite::FunctionCall>(*rewrite::As<rewrite::FunctionCall>(*condition).arguments[0]);
      literals.push_back(Same(equal.arguments[1]));
    }
    if (literals.size() == found.size() + 1) {
      found.clear();
      found.push_back(IfNull(Call("$in", Type::Bool(), std::move(literals)), True(false)));
    }
  }
  if (!texts.empty()) {
    texts.insert(texts.begin(), Same(value.scalar));
    found.push_back(Call("$in", Type::Bool(), std::move(texts)));
  }
  if (found.empty()) found.push_back(True(false));
  return finish({Or(std::move(found)), UInt8().Nullable(value.type.nullable), true});
}

}  // namespace logquery::clickhouse_sql
