// Resolves literals, intervals and parameters.
#include <cstdint>
#include <limits>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/model/interval_text.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

ScalarPtr MakeLiteral(Value value, sql::Span span) {
  auto constant = std::make_unique<Constant>(std::move(value));
  constant->span = span;
  return constant;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveLiteral(const sql::Literal& literal) {
  using Form = sql::Literal::Form;
  switch (literal.form) {
    case Form::kNull:
      return MakeLiteral(Value::Null(Type::Int64()), literal.span);
    case Form::kBool:
      return MakeLiteral(Value::Bool(literal.text == "true"), literal.span);
    case Form::kString:
      return MakeLiteral(Value::String(literal.text), literal.span);
    case Form::kBytes:
      return MakeLiteral(Value::Bytes(literal.text), literal.span);
    case Form::kFloat: {
      double value = 0;
      if (!absl::SimpleAtod(literal.text, &value)) return Error(literal.span, StrCat("not a number: ", literal.text));
      if (value == std::numeric_limits<double>::infinity()) {
        return Error(literal.span, StrCat("the number ", literal.text, " is out of the range of FLOAT64"));
      }
      return MakeLiteral(Value::Float64(value), literal.span);
    }
    case Form::kInteger: {
      int64_t value = 0;
      bool hex = literal.text.size() > 2 && (literal.text[1] == 'x' || literal.text[1] == 'X');
      uint64_t bits = 0;
      bool ok = hex ? absl::SimpleHexAtoi(literal.text, &bits) : absl::SimpleAtoi(literal.text, &value);
      if (!ok) return Error(literal.span, StrCat("the number ", literal.text, " is out of the range of INT64"));
      return MakeLiteral(Value::Int64(hex ? static_cast<int64_t>(bits) : value), literal.span);
    }
    case Form::kTyped: {
      const absl::Status fraction = CheckFraction(literal.type, literal.text);
      if (!fraction.ok()) return At(literal.span, fraction);
      absl::StatusOr<Value> value = ParseLiteral(literal.type, literal.text, options_.time_zone);
      if (!value.ok()) return At(literal.span, value.status());
      return MakeLiteral(*std::move(value), literal.span);
    }
  }
  return absl::InternalError("unknown form of literal");
}

absl::StatusOr<ScalarPtr> Resolver::ResolveInterval(const sql::IntervalExpr& expr, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*expr.value, context));
  const Constant* constant = If<Constant>(value.get());
  if (constant != nullptr && !constant->value.is_null()) {
    const Value& v = constant->value;
    absl::StatusOr<Interval> interval =
        v.type().is(TypeKind::kInt64)    ? model::IntervalOfParts(v.int64_value(), expr.from)
        : v.type().is(TypeKind::kString) ? model::ParseIntervalText(v.string_value(), expr.from, expr.to)
                                         : absl::StatusOr<Interval>(absl::InvalidArgumentError(StrCat(
                                               "INTERVAL wants an INT64 or a string, not ", v.type().ToString())));
    if (!interval.ok()) return At(expr.span, interval.status());
    return MakeLiteral(Value::IntervalOf(*interval), expr.span);
  }
  if (!expr.to.empty()) return Error(expr.span, "INTERVAL … TO … wants a string literal");
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(value));
  arguments.push_back(MakeLiteral(Value::String(expr.from), expr.span));
  return MakeCall("$interval", std::move(arguments), expr.span);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveParameter(const sql::ParameterExpr& parameter) {
  std::vector<std::string> names;
  for (const Field& declared : options_.parameters) {
    if (base::EqualsIgnoreCase(declared.name, parameter.name)) {
      auto ref = std::make_unique<ParameterRef>(declared.name, declared.type);
      ref->span = parameter.span;
      if (in_sandbox_) NoteUse(&SandboxUse::parameters, declared.name);
      return ScalarPtr(std::move(ref));
    }
    names.push_back(declared.name);
  }
  const std::string there_are =
      names.empty() ? "; the query has no parameters" : StrCat("; there are @", base::Join(names, ", @"));
  return Error(parameter.span, StrCat("unknown parameter @", parameter.name, there_are),
               sql::NearestNames(parameter.name, names));
}

}  // namespace logquery::rewrite
