// Expressions: names, attributes, operators. Conditions are BOOL in GoogleSQL, and 0 or 1 where ClickHouse shows them.
#include <algorithm>
#include <array>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/time_text.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

bool IsTrueText(const ch::Expr& expr) { return expr.kind == ch::ExprKind::kString && !expr.text.empty(); }

}  // namespace

std::string ToBigQuery::In(const BqValue& value, Binds level) {
  return value.binds < level ? StrCat("(", value.text, ")") : value.text;
}

const ch::Expr* ToBigQuery::AttributeOf(const ch::Expr& expr, const Scope& scope) const {
  if (expr.kind == ch::ExprKind::kCall && expr.text == "arrayElement" && expr.args.size() == 2 &&
      expr.args[0]->kind == ch::ExprKind::kName && expr.args[0]->path.back() == "log_attributes" &&
      expr.args[1]->kind == ch::ExprKind::kString) {
    return &expr;
  }
  if (expr.kind == ch::ExprKind::kCall && expr.text == "toString" && expr.args.size() == 1)
    return AttributeOf(*expr.args[0], scope);
  if (expr.kind == ch::ExprKind::kName && expr.path.size() == 1) {
    const auto alias = scope.aliases.find(expr.path[0]);
    if (alias != scope.aliases.end() && !scope.open.contains(expr.path[0]) && alias->second != &expr &&
        alias->second->kind == ch::ExprKind::kCall) {
      return AttributeOf(*alias->second, scope);
    }
  }
  return nullptr;
}

// The text of an attribute: '' where the key is absent, or plainly, NULL there.
absl::StatusOr<BqValue> ToBigQuery::Attribute(const ch::Expr& call, Scope& scope, bool plain) {
  const std::string& key = call.args[1]->text;
  const std::vector<std::string>& path = call.args[0]->path;
  for (Source& source : scope.sources) {
    if (!source.is_logs || (path.size() > 1 && source.alias != path[0] && path[0] != "logs")) continue;
    if (source.log == nullptr)
      return BqValue{StrCat(source.alias, ".", ColumnOfKey(key)), Binds::kPrimary, false, false};
    if (source.empty) return BqValue{"''", Binds::kPrimary, false, false};
    const auto field = FieldOf(*source.log, key, source);
    if (!field) {
      Note(call.span, StrCat("no field of the log has the key ", key, ", so it is ''"));
      return BqValue{"''", Binds::kPrimary, false, false};
    }
    const std::string text = TextOf(*field);
    if (text.empty()) {
      return Unsupported(call.span, field->second.is(TypeKind::kBytes)
                                        ? StrCat("the key ", key, ", a column that logs.all does not show")
                                        : StrCat("the text of a field of type ", field->second.ToString()));
    }
    if (text == kProject) {
      Note(call.span, "the project of all rows is the parameter of logs.all, which does not show the column");
      return BqValue{text, Binds::kPrimary, false, false};
    }
    Note(call.span, "an absent key is '' in ClickHouse, and NULL in BigQuery; IFNULL makes it '' where it matters");
    if (plain && field->second.is(TypeKind::kString)) return BqValue{field->first, Binds::kPrimary, false, true};
    if (plain && !field->second.is_array())
      return BqValue{StrCat("CAST(", field->first, " AS STRING)"), Binds::kPrimary, false, true};
    return BqValue{text, Binds::kPrimary, false, false};
  }
  return Unsupported(call.span, "log_attributes of other rows than the table logs");
}

absl::StatusOr<BqValue> ToBigQuery::Name(const ch::Expr& expr, Scope& scope, Use use) {
  const std::string& name = expr.path.back();
  if (expr.path.size() == 1) {
    if (const auto element = scope.parameters.find(name); element != scope.parameters.end())
      return BqValue{sql::QuoteIdentifier(element->second), Binds::kPrimary, false, TypeOf(expr).nullable};
    const auto alias = scope.aliases.find(name);
    const bool itself = alias != scope.aliases.end() && alias->second->kind == ch::ExprKind::kName &&
                        alias->second->path.back() == name;
    if (alias != scope.aliases.end() && !scope.open.contains(name) && !itself) {
      const bool nullable = TypeOf(*alias->second).nullable;
      if (scope.names_aliases && !scope.in_aggregate && scope.listed.contains(name))
        return BqValue{sql::QuoteIdentifier(name), Binds::kPrimary, false, nullable};
      scope.open.insert(name);
      absl::StatusOr<BqValue> value = Expr(*alias->second, scope, use);
      scope.open.erase(name);
      return value;
    }
  }
  for (Source& source : scope.sources) {
    const bool mine =
        expr.path.size() == 1 || expr.path[0] == source.alias || (source.is_logs && expr.path[0] == "logs");
    if (!mine) continue;
    const std::string qualifier = source.alias.empty() && source.log != nullptr ? source.log->log : source.alias;
    if (!source.is_logs) {
      if (std::find(source.columns.begin(), source.columns.end(), name) == source.columns.end()) continue;
      const bool several = scope.sources.size() > 1 || expr.path.size() > 1;
      const std::string quoted = sql::QuoteIdentifier(name);
      const ch::ChType type = TypeOf(expr);
      std::string text = several && !qualifier.empty() ? StrCat(sql::QuoteIdentifier(qualifier), ".", quoted) : quoted;
      if (!source.absent || type.nullable) return BqValue{std::move(text), Binds::kPrimary, false, type.nullable};
      if (scope.in_join) return BqValue{std::move(text)};
      const std::string otherwise = DefaultOf(type);
      if (otherwise.empty())
        return Unsupported(expr.span, StrCat("a column of type ", type.ToString(), " of an absent row"));
      return BqValue{StrCat("IFNULL(", text, ", ", otherwise, ")")};
    }
    if (name == "log_attributes") return Unsupported(expr.span, "log_attributes as a whole; read its keys");
    if (name == "project") {
      Note(expr.span, "the project of all rows is the parameter of logs.all, which does not show the column");
      return BqValue{std::string(kProject)};
    }
    if (name == "source" && source.log != nullptr) return BqValue{sql::QuoteString(source.log->log)};
    if (name == "severity_text" && source.log != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(std::string severity, SeverityOf(*source.log, source, expr.span));
      return BqValue{std::move(severity)};
    }
    const bool column =
        name == "id" || name == "timestamp" || name == "event_message" || name == "source" || name == "severity_text";
    if (!column) return Unsupported(expr.span, StrCat("the column ", name));
    const bool hidden = scope.listed.contains(name);
    return BqValue{
        source.qualifies || hidden || expr.path.size() > 1 ? StrCat(sql::QuoteIdentifier(qualifier), ".", name) : name};
  }
  for (const char* number : {"nan", "inf"}) {
    if (expr.path.size() == 1 && base::EqualsIgnoreCase(name, number) && TypeOf(expr).Is(ch::ChKind::kFloat))
      return BqValue{StrCat("CAST('", number, "' AS FLOAT64)")};
  }
  return Unsupported(expr.span, StrCat("the name ", name));
}

absl::StatusOr<BqValue> ToBigQuery::Expr(const ch::Expr& expr, Scope& scope, Use use) {
  switch (expr.kind) {
    case ch::ExprKind::kNull:
      return BqValue{"NULL", Binds::kPrimary, false, true};
    case ch::ExprKind::kBool:
      return BqValue{expr.is_true ? "TRUE" : "FALSE", Binds::kPrimary, true, false};
    case ch::ExprKind::kNumber: {
      const bool plain = expr.text.find_first_not_of("0123456789.-") == std::string::npos;
      if (!plain) return Unsupported(expr.span, "this number");
      return BqValue{expr.text, expr.text.starts_with("-") ? Binds::kProduct : Binds::kPrimary};
    }
    case ch::ExprKind::kString:
      return BqValue{sql::QuoteString(expr.text)};
    case ch::ExprKind::kName:
      return Name(expr, scope, use);
    case ch::ExprKind::kCall: {
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Call(expr, scope, use));
      // An expression that is written out several times multiplies with each level of nesting.
      if (value.text.size() > kMaxTextBytes)
        return Unsupported(expr.span, StrCat("an expression that would have more than ", kMaxTextBytes, " bytes"));
      return value;
    }
    case ch::ExprKind::kSubquery: {
      LOGQUERY_ASSIGN_OR_RETURN(const std::string query, QueryText(*expr.query, 0));
      return BqValue{StrCat("(", query, ")"), Binds::kPrimary, false, true};
    }
    case ch::ExprKind::kLambda:
    case ch::ExprKind::kStar:
    case ch::ExprKind::kParameter:
      return Unsupported(expr.span, "this expression");
  }
  return absl::InternalError("unknown kind of expression");
}

absl::StatusOr<BqValue> ToBigQuery::Value(const ch::Expr& expr, Scope& scope) {
  LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Expr(expr, scope));
  if (!value.is_condition || TypeOf(expr).Is(ch::ChKind::kBool)) return value;
  return BqValue{StrCat("CAST(", value.text, " AS INT64)"), Binds::kPrimary, false, value.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::Condition(const ch::Expr& expr, Scope& scope, Use use) {
  LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Expr(expr, scope, use));
  if (value.is_condition) return value;
  if (expr.kind == ch::ExprKind::kNull) return BqValue{"FALSE", Binds::kPrimary, true, false};
  if (!TypeOf(expr).Is(ch::ChKind::kInt) && !TypeOf(expr).Is(ch::ChKind::kBool))
    return Unsupported(expr.span, "a value that is neither a number nor a condition as a condition");
  if (expr.kind == ch::ExprKind::kNumber)
    return BqValue{expr.text == "0" ? "FALSE" : "TRUE", Binds::kPrimary, true, false};
  return BqValue{StrCat(In(value, Binds::kSum), " != 0"), Binds::kComparison, true, value.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::Operand(const ch::Expr& expr, const ch::Expr& other, Scope& scope, bool plain) {
  const ch::ChType type = TypeOf(other);
  if (expr.kind == ch::ExprKind::kString && type.IsTime()) {
    const absl::StatusOr<::logquery::Value> time = model::ParseTimestampText(expr.text, "UTC");
    if (!time.ok()) return Unsupported(expr.span, "a text beside a time that BigQuery does not read as a time");
    const absl::Time at = absl::FromUnixMicros(time->int64_value());
    if (type.Is(ch::ChKind::kDate))
      return BqValue{StrCat("DATE '", absl::FormatTime("%Y-%m-%d", at, absl::UTCTimeZone()), "'")};
    return BqValue{StrCat("TIMESTAMP '", absl::FormatTime("%Y-%m-%d %H:%M:%E*S", at, absl::UTCTimeZone()), "'")};
  }
  if (expr.kind == ch::ExprKind::kString && type.IsNumber()) return Unsupported(expr.span, "a text beside a number");
  if (plain) {
    if (const ch::Expr* attribute = AttributeOf(expr, scope)) return Attribute(*attribute, scope, true);
  }
  LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(expr, scope));
  return value;
}

absl::StatusOr<BqValue> ToBigQuery::Comparison(const ch::Expr& call, Scope& scope, Use use) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOperators = {{{"equals", "="},
                                                                                        {"notEquals", "!="},
                                                                                        {"less", "<"},
                                                                                        {"lessOrEquals", "<="},
                                                                                        {"greater", ">"},
                                                                                        {"greaterOrEquals", ">="}}};
  std::string_view symbol;
  for (const auto& [function, text] : kOperators) {
    if (call.text == function) symbol = text;
  }
  const ch::Expr& left = *call.args[0];
  const ch::Expr& right = *call.args[1];
  if (left.kind == ch::ExprKind::kNull || right.kind == ch::ExprKind::kNull)
    return BqValue{"CAST(NULL AS BOOL)", Binds::kPrimary, true, true};
  const ch::ChType a_type = TypeOf(left), b_type = TypeOf(right);
  const bool tuples = a_type.Is(ch::ChKind::kTuple) || b_type.Is(ch::ChKind::kTuple);
  if (tuples) return Unsupported(call.span, "a comparison of tuples");
  const bool both_times = a_type.IsTime() && b_type.IsTime();
  if (both_times && a_type.Is(ch::ChKind::kDate) != b_type.Is(ch::ChKind::kDate))
    return Unsupported(call.span, "a comparison of a date with a time");
  // A condition that '' does not fulfil may read the field plainly.
  const bool plain = use == Use::kCondition && IsTrueText(right) && (symbol == "=" || symbol == ">" || symbol == ">=");
  LOGQUERY_ASSIGN_OR_RETURN(BqValue a, Operand(left, right, scope, plain));
  LOGQUERY_ASSIGN_OR_RETURN(BqValue b, Operand(right, left, scope, false));
  return BqValue{StrCat(In(a, Binds::kSum), " ", symbol, " ", In(b, Binds::kSum)), Binds::kComparison, true,
                 a.nullable || b.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::In(const ch::Expr& call, Scope& scope, Use use) {
  const bool negated = call.text == "notIn";
  const ch::Expr& set = *call.args[1];
  std::vector<const ch::Expr*> list;
  if (set.kind == ch::ExprKind::kCall && (set.text == "tuple" || set.text == "array")) {
    for (const ch::ExprPtr& element : set.args) list.push_back(element.get());
  } else if (set.kind == ch::ExprKind::kSubquery) {
    if (TypeOf(*call.args[0]).Is(ch::ChKind::kTuple) || TypeOf(*call.args[0]).nullable)
      return Unsupported(call.span, "IN with a subquery of a tuple, or of a value that may be NULL");
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    LOGQUERY_ASSIGN_OR_RETURN(const std::string query, QueryText(*set.query, 0));
    if (negated) return Unsupported(call.span, "NOT IN with a subquery");
    return BqValue{StrCat(In(value, Binds::kSum), " IN (", query, ")"), Binds::kComparison, true, false};
  } else {
    list.push_back(&set);
  }
  bool texts = true;
  std::vector<std::string> candidates;
  // A NULL among the candidates equals nothing.
  std::erase_if(list, [](const ch::Expr* element) { return element->kind == ch::ExprKind::kNull; });
  if (list.empty()) return Unsupported(set.span, "IN of NULL alone");
  for (const ch::Expr* element : list) {
    const bool literal = element->kind == ch::ExprKind::kString || element->kind == ch::ExprKind::kNumber;
    if (!literal) return Unsupported(element->span, "IN with other candidates than literals");
    texts = texts && IsTrueText(*element);
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Operand(*element, *call.args[0], scope, false));
    candidates.push_back(value.text);
  }
  const bool plain = use == Use::kCondition && !negated && texts;
  LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Operand(*call.args[0], *list[0], scope, plain));
  if (TypeOf(*call.args[0]).Is(ch::ChKind::kTuple)) return Unsupported(call.span, "IN of tuples");
  return BqValue{StrCat(In(value, Binds::kSum), negated ? " NOT IN (" : " IN (", base::Join(candidates, ", "), ")"),
                 Binds::kComparison, true, value.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::Like(const ch::Expr& call, Scope& scope, Use use) {
  const ch::Expr& pattern = *call.args[1];
  if (pattern.kind != ch::ExprKind::kString) return Unsupported(pattern.span, "LIKE with a pattern that is no literal");
  // A backslash before another character than % _ \ stands for itself in ClickHouse, and for nothing in BigQuery.
  for (size_t i = 0; i < pattern.text.size(); ++i) {
    if (pattern.text[i] != '\\') continue;
    const char next = i + 1 < pattern.text.size() ? pattern.text[i + 1] : '\0';
    if (next != '%' && next != '_' && next != '\\') return Unsupported(pattern.span, "a backslash in a pattern");
    ++i;
  }
  const bool negated = call.text == "notLike" || call.text == "notILike";
  const bool ignore_case = call.text == "ilike" || call.text == "notILike";
  const bool plain = use == Use::kCondition && !negated && pattern.text.find_first_not_of('%') != std::string::npos;
  LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Operand(*call.args[0], pattern, scope, plain));
  std::string text = In(value, Binds::kSum);
  std::string by = sql::QuoteString(pattern.text);
  if (ignore_case) {
    Note(call.span, "BigQuery has no ILIKE; logquery takes it in both languages");
  }
  return BqValue{StrCat(text, negated ? " NOT" : "", ignore_case ? " ILIKE " : " LIKE ", by), Binds::kComparison, true,
                 value.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::Arithmetic(const ch::Expr& call, Scope& scope) {
  const ch::ChType a_type = TypeOf(*call.args[0]), b_type = TypeOf(*call.args[1]);
  const bool minus = call.text == "minus";
  if (a_type.IsTime() && (call.text == "plus" || minus)) return TimeShift(call, scope);
  const auto number = [](const ch::ChType& type) { return type.Is(ch::ChKind::kInt) || type.Is(ch::ChKind::kFloat); };
  if (!number(a_type) || !number(b_type)) return Unsupported(call.span, "this operator on these types");
  LOGQUERY_ASSIGN_OR_RETURN(BqValue a, Value(*call.args[0], scope));
  LOGQUERY_ASSIGN_OR_RETURN(BqValue b, Value(*call.args[1], scope));
  const bool nullable = a.nullable || b.nullable;
  const bool integers = a_type.Is(ch::ChKind::kInt) && b_type.Is(ch::ChKind::kInt);
  if (call.text == "divide") {
    const ch::Expr& by = *call.args[1];
    const bool nonzero = by.kind == ch::ExprKind::kNumber && by.text.find_first_of("123456789") != std::string::npos;
    if (nonzero)
      return BqValue{StrCat(In(a, Binds::kProduct), " / ", In(b, Binds::kPrimary)), Binds::kProduct, false, nullable};
    Note(call.span, "x / 0 is inf or nan in ClickHouse, and an error in BigQuery; IEEE_DIVIDE gives the same");
    return BqValue{StrCat("IEEE_DIVIDE(", a.text, ", ", b.text, ")"), Binds::kPrimary, false, nullable};
  }
  if (call.text == "intDiv" || call.text == "modulo") {
    if (!integers) return Unsupported(call.span, "the quotient or rest of floats");
    return BqValue{StrCat(call.text == "intDiv" ? "DIV(" : "MOD(", a.text, ", ", b.text, ")"), Binds::kPrimary, false,
                   nullable};
  }
  if (integers) Note(call.span, "integers beyond 64 bits wrap around in ClickHouse, and are an error in BigQuery");
  const bool product = call.text == "multiply";
  const Binds level = product ? Binds::kProduct : Binds::kSum;
  const Binds right = product || minus ? static_cast<Binds>(static_cast<int>(level) + 1) : level;
  return BqValue{StrCat(In(a, level), product ? " * " : minus ? " - " : " + ", In(b, right)), level, false, nullable};
}

absl::StatusOr<BqValue> ToBigQuery::Choice(const ch::Expr& call, Scope& scope) {
  const bool by_value = call.text == "caseWithExpression";
  std::string text = "CASE";
  size_t at = 0;
  if (by_value) {
    if (TypeOf(*call.args[0]).nullable) return Unsupported(call.args[0]->span, "CASE of a value that may be NULL");
    LOGQUERY_ASSIGN_OR_RETURN(BqValue operand, Value(*call.args[0], scope));
    text += StrCat(" ", operand.text);
    at = 1;
  }
  bool nullable = false;
  const auto result = [&](const ch::Expr& expr) -> absl::StatusOr<std::string> {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(expr, scope));
    nullable = nullable || value.nullable;
    return value.text;
  };
  for (; at + 1 < call.args.size(); at += 2) {
    absl::StatusOr<BqValue> when =
        by_value ? Operand(*call.args[at], *call.args[0], scope, false) : Condition(*call.args[at], scope);
    LOGQUERY_RETURN_IF_ERROR(when.status());
    LOGQUERY_ASSIGN_OR_RETURN(const std::string then, result(*call.args[at + 1]));
    text += StrCat(" WHEN ", when->text, " THEN ", then);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::string otherwise, result(*call.args.back()));
  if (call.args.back()->kind != ch::ExprKind::kNull) text += StrCat(" ELSE ", otherwise);
  return BqValue{text + " END", Binds::kPrimary, false, nullable};
}

}  // namespace logquery::tools
