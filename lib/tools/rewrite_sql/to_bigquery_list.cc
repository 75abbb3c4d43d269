// Lists: their elements, lambdas over them, and the rows that ARRAY JOIN makes of them. A list is never NULL in ClickHouse.
#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

bool HasAggregate(const ch::Expr& expr);

bool HasAggregateArgument(const ch::Expr& expr) {
  return std::any_of(expr.args.begin(), expr.args.end(), [](const ch::ExprPtr& arg) { return HasAggregate(*arg); });
}

// Whether the expression has an aggregate, whose rows are gone where FROM unnests.
bool HasAggregate(const ch::Expr& expr) {
  constexpr std::array<std::string_view, 6> kBegins = {"group", "quantile", "uniq", "arg", "any", "median"};
  constexpr std::array<std::string_view, 5> kNames = {"count", "sum", "min", "max", "avg"};
  if (expr.kind == ch::ExprKind::kCall) {
    const bool begins = std::any_of(kBegins.begin(), kBegins.end(),
                                    [&](std::string_view begin) { return expr.text.starts_with(begin); });
    const std::string lower = base::ToLower(expr.text);
    if (expr.text == "minus" || expr.text == "countMatches") return HasAggregateArgument(expr);
    const bool named =
        std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) { return lower.starts_with(name); });
    if (begins || named || expr.over != nullptr) return true;
  }
  return HasAggregateArgument(expr);
}

bool IsLiteralInteger(const ch::Expr& expr, int64_t& value) {
  if (expr.kind != ch::ExprKind::kNumber || expr.text.find_first_not_of("-0123456789") != std::string::npos)
    return false;
  value = std::atoll(expr.text.c_str());
  return true;
}

// A list as UNNEST reads it. FROM can't read one of groups, so that has a name before.
struct UnnestedList {
  std::string text;    // of UNNEST's argument
  std::string before;  // in front of the expression; empty: the list needs no name
  std::string Wrap(std::string expression) const {
    return before.empty() ? std::move(expression) : StrCat(before, expression, ")");
  }
};

UnnestedList MakeUnnested(const ch::Expr& list, const std::string& text, const std::string& name) {
  if (!HasAggregate(list)) return {text, ""};
  return {name, StrCat("WITH(", name, " AS ", text, ", ")};
}

}  // namespace

// A name for elements that is not that of a column or table in sight.
std::string ToBigQuery::NewName(std::string wanted, const Scope& scope) const {
  const auto taken = [&](const std::string& name) {
    if (scope.parameters.contains(name) || name == "id" || name == "timestamp" || name == "event_message" ||
        name == "metadata") {
      return true;
    }
    for (const auto& [text, known] : scope.list_names) {
      if (known == name) return true;
    }
    return std::any_of(scope.sources.begin(), scope.sources.end(), [&](const Source& source) {
      const bool column = std::find(source.columns.begin(), source.columns.end(), name) != source.columns.end();
      const bool record = std::any_of(source.records.begin(), source.records.end(), [&](const auto& known) {
        return base::EqualsIgnoreCase(known.second, sql::QuoteIdentifier(name));
      });
      return column || record || base::EqualsIgnoreCase(source.alias, name);
    });
  };
  std::string name = wanted.empty() ? "element" : std::move(wanted);
  while (taken(name)) name += "_";
  return name;
}

absl::StatusOr<BqValue> ToBigQuery::Elements(const ch::Expr& list, const std::string& alias, sql::Span span,
                                             Scope& scope) {
  if (HasAggregate(list)) return Unsupported(span, "arrayJoin of a list of groups");
  if (scope.has_windows) return Unsupported(span, "arrayJoin beside window functions");
  if (!scope.parameters.empty()) return Unsupported(span, "arrayJoin in a lambda");
  if (!TypeOf(list).Is(ch::ChKind::kArray)) return Unsupported(span, "arrayJoin of another value than a list");
  scope.null_elements = list.kind == ch::ExprKind::kCall && list.text == "array";
  const absl::StatusOr<BqValue> made = Value(list, scope);
  scope.null_elements = false;
  LOGQUERY_RETURN_IF_ERROR(made.status());
  const BqValue& value = *made;
  const bool nullable = TypeOf(list).parts[0].nullable;
  if (const auto known = scope.list_names.find(value.text); known != scope.list_names.end())
    return BqValue{sql::QuoteIdentifier(known->second), Binds::kPrimary, false, nullable};
  const std::string name = NewName(alias, scope);
  scope.list_names[value.text] = name;
  scope.list_joins.push_back(StrCat("UNNEST(", value.text, ") AS ", sql::QuoteIdentifier(name)));
  Note(span, "arrayJoin makes a row of each element, and none of an empty list, as CROSS JOIN UNNEST does");
  return BqValue{sql::QuoteIdentifier(name), Binds::kPrimary, false, nullable};
}

// list[n]: from 1, or from the end; beyond the ends it is the type's default.
absl::StatusOr<BqValue> ToBigQuery::Element(const ch::Expr& call, Scope& scope) {
  const ch::ChType type = TypeOf(*call.args[0]);
  int64_t place = 0;
  if (!type.Is(ch::ChKind::kArray) || !IsLiteralInteger(*call.args[1], place))
    return Unsupported(call.span, "an element of another value than a list, or at a place that is no literal");
  const ch::ChType element = type.parts[0];
  const std::string otherwise = DefaultOf(element);
  if (otherwise.empty() && !element.nullable) return Unsupported(call.span, StrCat("an element of ", type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue list, Value(*call.args[0], scope));
  Note(call.span, "a place beyond a list's end gives '' or 0 in ClickHouse; SAFE_OFFSET with IFNULL does the same");
  std::string offset = place > 0 ? StrCat(place - 1) : StrCat("ARRAY_LENGTH(", list.text, ") - ", -place);
  if (place == 0) return BqValue{element.nullable ? "NULL" : otherwise, Binds::kPrimary, false, element.nullable};
  std::string text = StrCat(list.text, "[SAFE_OFFSET(", offset, ")]");
  if (element.nullable) return BqValue{std::move(text), Binds::kPrimary, false, true};
  return BqValue{StrCat("IFNULL(", text, ", ", otherwise, ")")};
}

// arrayMap(x -> …, list) and its relatives are subqueries over the elements.
absl::StatusOr<BqValue> ToBigQuery::LambdaCall(const ch::Expr& call, const std::string& name, Scope& scope) {
  const ch::Expr& lambda = *call.args[0];
  if (call.args.size() != 2 || lambda.path.size() != 1)
    return Unsupported(call.span, StrCat(name, " with a lambda of several lists"));
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue list, Value(*call.args[1], scope));
  const ch::ChType element = TypeOf(*call.args[1]).parts.empty() ? ch::NothingType() : TypeOf(*call.args[1]).parts[0];
  const std::string as = NewName(lambda.path[0], scope);
  const auto before = scope.parameters;
  scope.parameters[lambda.path[0]] = as;
  const bool condition = name == "arrayFilter" || name == "arrayExists" || name == "arrayAll" || name == "arrayCount" ||
                         name == "arrayFirst";
  absl::StatusOr<BqValue> body = condition ? Condition(*lambda.args[0], scope) : Value(*lambda.args[0], scope);
  scope.parameters = before;
  LOGQUERY_RETURN_IF_ERROR(body.status());
  const std::string quoted = sql::QuoteIdentifier(as);
  const UnnestedList unnested = MakeUnnested(*call.args[1], list.text, sql::QuoteIdentifier(NewName("list", scope)));
  const std::string from = StrCat(" FROM UNNEST(", unnested.text, ") AS ", quoted);
  const std::string placed = StrCat(from, " WITH OFFSET AS place");
  const std::string& text = body->text;
  if (name == "arrayMap") {
    if (body->nullable) return Unsupported(call.span, "arrayMap with results that may be NULL");
    return BqValue{unnested.Wrap(StrCat("ARRAY(SELECT ", text, placed, " ORDER BY place)"))};
  }
  if (name == "arrayFilter")
    return BqValue{unnested.Wrap(StrCat("ARRAY(SELECT ", quoted, placed, " WHERE ", text, " ORDER BY place)"))};
  if (name == "arrayExists")
    return BqValue{unnested.Wrap(StrCat("EXISTS(SELECT 1", from, " WHERE ", text, ")")), Binds::kPrimary, true};
  if (name == "arrayCount") return BqValue{unnested.Wrap(StrCat("(SELECT COUNTIF(", text, ")", from, ")"))};
  if (name == "arrayAll") {
    return BqValue{unnested.Wrap(StrCat("NOT EXISTS(SELECT 1", from, " WHERE IFNULL(NOT ",
                                        In(*body, Binds::kComparison), ", TRUE))")),
                   Binds::kNot, true};
  }
  if (name == "arrayFirst" && !DefaultOf(element).empty() && !element.nullable) {
    return BqValue{unnested.Wrap(StrCat("IFNULL((SELECT ", quoted, placed, " WHERE ", text,
                                        " ORDER BY place LIMIT 1), ", DefaultOf(element), ")"))};
  }
  if ((name == "arraySort" || name == "arrayReverseSort") && !body->nullable) {
    const bool back = name == "arrayReverseSort";
    Note(call.span, "elements with the same key may stand in any order");
    return BqValue{unnested.Wrap(StrCat("ARRAY(SELECT ", quoted, from, " ORDER BY ", text, back ? " DESC)" : ")"))};
  }
  if (name == "arraySum" && TypeOf(*lambda.args[0]).Is(ch::ChKind::kInt) && !body->nullable)
    return BqValue{unnested.Wrap(StrCat("IFNULL((SELECT SUM(", text, ")", from, "), 0)"))};
  return Unsupported(call.span, StrCat("the function ", name, " with a lambda"));
}

// Adds, for each field below the record, the key where the field has a value, and NULL elsewhere.
absl::Status ToBigQuery::AddKeys(const Type& record, const std::string& prefix, sql::Span span, Source& source,
                                 std::vector<std::string>& keys) const {
  for (const Field& field : record.fields()) {
    const std::string key = StrCat(prefix, field.name);
    if (field.type.is_record()) {
      LOGQUERY_RETURN_IF_ERROR(AddKeys(field.type.element(), StrCat(key, "."), span, source, keys));
      continue;
    }
    const auto read = FieldOf(*source.log, key, source);
    if (!read || field.name.find('.') != std::string::npos || field.type.is_struct())
      return Unsupported(span, StrCat("mapKeys of a log with the field ", key));
    if (read->first == kProject) continue;  // the row's column has the key
    const std::string absent = field.type.is_array() ? StrCat("IFNULL(ARRAY_LENGTH(", read->first, "), 0) = 0")
                                                     : StrCat(read->first, " IS NULL");
    keys.push_back(StrCat("IF(", absent, ", NULL, ", sql::QuoteString(key), ")"));
  }
  return absl::OkStatus();
}

// log_attributes as a column of the result: an object of the texts of the fields that have a value.
absl::StatusOr<BqValue> ToBigQuery::WholeMap(const ch::Expr& name, Scope& scope) {
  Source* const source = scope.sources.size() == 1 ? &scope.sources[0] : nullptr;
  if (source == nullptr || source->empty || (source->log == nullptr && !source->has_map))
    return Unsupported(name.span, "log_attributes as a whole, of other rows than those of logs; read its keys");
  Note(name.span, "log_attributes is an object of the texts of those fields that have a value");
  if (source->log == nullptr) return BqValue{StrCat(source->alias, ".", kMapColumn)};
  LOGQUERY_ASSIGN_OR_RETURN(std::string text, MapText(*source, name.span));
  return BqValue{std::move(text)};
}

absl::StatusOr<std::string> ToBigQuery::MapText(Source& source, sql::Span span) const {
  std::vector<std::string> keys, values;
  for (const Field& column : source.log->columns) {
    if (column.name == "id" || column.name == "timestamp" || column.name == "event_message") continue;
    if (column.name == "metadata" && column.type.is_record()) {
      LOGQUERY_RETURN_IF_ERROR(AddTexts(column.type.element(), "", span, source, keys, values));
      continue;
    }
    const bool is_project = source.log->project_path.size() == 1 && source.log->project_path[0] == column.name;
    if (!is_project) return Unsupported(span, StrCat("the column ", column.name, ", which logs.all does not show"));
    keys.push_back(sql::QuoteString(column.name));
    values.emplace_back(kProject);
  }
  return StrCat("JSON_STRIP_NULLS(JSON_OBJECT([", base::Join(keys, ", "), "], [", base::Join(values, ", "), "]))");
}

absl::Status ToBigQuery::AddTexts(const Type& record, const std::string& prefix, sql::Span span, Source& source,
                                  std::vector<std::string>& keys, std::vector<std::string>& values) const {
  for (const Field& field : record.fields()) {
    const std::string key = StrCat(prefix, field.name);
    if (field.type.is_record()) {
      LOGQUERY_RETURN_IF_ERROR(AddTexts(field.type.element(), StrCat(key, "."), span, source, keys, values));
      continue;
    }
    const auto read = FieldOf(*source.log, key, source);
    const std::string text = read ? TextOf(*read) : "";
    if (text.empty() || field.name.find('.') != std::string::npos || field.type.is_struct())
      return Unsupported(span, StrCat("log_attributes of a log with the field ", key));
    if (read->first == kProject) continue;  // the row's column has the key
    keys.push_back(sql::QuoteString(key));
    const bool plain = read->second.is(TypeKind::kString);
    const std::string absent = field.type.is_array() ? StrCat("IFNULL(ARRAY_LENGTH(", read->first, "), 0) = 0")
                                                     : StrCat(read->first, " IS NULL");
    values.push_back(plain ? read->first : StrCat("IF(", absent, ", NULL, ", text, ")"));
  }
  return absl::OkStatus();
}

// mapKeys(log_attributes): the keys of the fields that have a value.
absl::StatusOr<BqValue> ToBigQuery::MapKeys(const ch::Expr& call, Scope& scope) {
  const bool map = call.args[0]->kind == ch::ExprKind::kName && call.args[0]->path.back() == "log_attributes";
  Source* const source = scope.sources.size() == 1 ? &scope.sources[0] : nullptr;
  if (!map || source == nullptr || (source->log == nullptr && !source->has_keys))
    return Unsupported(call.span, "mapKeys of another map than log_attributes of the table logs");
  Note(call.span, "the keys are those of the log's fields that have a value, in the order of their declaration");
  if (source->log == nullptr) return BqValue{StrCat(source->alias, ".", kKeysColumn)};
  LOGQUERY_ASSIGN_OR_RETURN(std::string text, KeysText(*source, sql::QuoteIdentifier(NewName("", scope)), call.span));
  return BqValue{std::move(text)};
}

absl::StatusOr<std::string> ToBigQuery::KeysText(Source& source, const std::string& element, sql::Span span) const {
  std::vector<std::string> keys;
  for (const Field& column : source.log->columns) {
    if (column.name == "id" || column.name == "timestamp" || column.name == "event_message") continue;
    if (column.name == "metadata" && column.type.is_record()) {
      LOGQUERY_RETURN_IF_ERROR(AddKeys(column.type.element(), "", span, source, keys));
      continue;
    }
    const bool is_project = source.log->project_path.size() == 1 && source.log->project_path[0] == column.name;
    if (!is_project) return Unsupported(span, StrCat("the column ", column.name, ", which logs.all does not show"));
    keys.push_back(sql::QuoteString(column.name));
  }
  return StrCat("ARRAY(SELECT ", element, " FROM UNNEST([", base::Join(keys, ", "), "]) AS ", element, " WHERE ",
                element, " IS NOT NULL)");
}

absl::StatusOr<BqValue> ToBigQuery::ListCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                             bool& handled) {
  const size_t count = call.args.size();
  if (name == "mapKeys" && count == 1) return MapKeys(call, scope);
  if (name == "arrayJoin" && count == 1) return Elements(*call.args[0], call.alias, call.span, scope);
  if (name == "arrayElement" && count == 2 && TypeOf(*call.args[0]).Is(ch::ChKind::kArray)) return Element(call, scope);
  if (count > 0 && call.args[0]->kind == ch::ExprKind::kLambda && name.starts_with("array"))
    return LambdaCall(call, name, scope);
  const auto is_list = [&](size_t i) { return i < count && TypeOf(*call.args[i]).Is(ch::ChKind::kArray); };
  const auto part = [&](size_t i) { return TypeOf(*call.args[i]).parts[0]; };
  if (name == "array") {
    const bool null_elements = std::exchange(scope.null_elements, false);
    std::vector<std::string> elements;
    for (const ch::ExprPtr& arg : call.args) {
      const ch::ChType type = TypeOf(*arg);
      const bool null = type.nullable || type.Is(ch::ChKind::kNothing);
      const bool same = type.Is(ch::ChKind::kNothing) || TypeOf(call).parts[0].kind == type.kind;
      if ((null && !null_elements) || !same)
        return Unsupported(arg->span, "a list of mixed types, or of values that may be NULL");
      LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(*arg, scope));
      elements.push_back(value.text);
    }
    return BqValue{StrCat("[", base::Join(elements, ", "), "]")};
  }
  if ((name == "splitByChar" || name == "splitByString") && count == 2) {
    if (call.args[0]->kind != ch::ExprKind::kString || call.args[0]->text.empty())
      return Unsupported(call.span, StrCat(name, " by no literal, or by ''"));
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue text, Value(*call.args[1], scope));
    const std::string of = text.nullable ? StrCat("IFNULL(", text.text, ", '')") : text.text;
    return BqValue{StrCat("SPLIT(", of, ", ", sql::QuoteString(call.args[0]->text), ")")};
  }
  if (name == "range" && count == 1) {
    int64_t end = 0;
    if (!IsLiteralInteger(*call.args[0], end) || end < 0) return Unsupported(call.span, "range to no literal");
    return BqValue{end == 0 ? "CAST([] AS ARRAY<INT64>)" : StrCat("GENERATE_ARRAY(0, ", end - 1, ")")};
  }
  if (name == "arrayStringConcat" && (count == 1 || count == 2) && is_list(0)) {
    if (!part(0).Is(ch::ChKind::kString)) return Unsupported(call.span, "arrayStringConcat of other values than texts");
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue list, Value(*call.args[0], scope));
    std::string by = "''";
    if (count == 2) {
      LOGQUERY_ASSIGN_OR_RETURN(const BqValue given, Value(*call.args[1], scope));
      if (given.nullable) return Unsupported(call.span, "arrayStringConcat by a value that may be NULL");
      by = given.text;
    }
    return BqValue{StrCat("ARRAY_TO_STRING(", list.text, ", ", by, ")")};
  }
  if ((name == "arraySort" || name == "arrayReverseSort" || name == "arrayDistinct" || name == "arrayReverse") &&
      count == 1 && is_list(0)) {
    if (part(0).nullable || part(0).Is(ch::ChKind::kTuple))
      return Unsupported(call.span, StrCat(name, " of ", TypeOf(*call.args[0]).ToString()));
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue list, Value(*call.args[0], scope));
    if (name == "arrayReverse") return BqValue{StrCat("ARRAY_REVERSE(", list.text, ")")};
    const std::string as = sql::QuoteIdentifier(NewName("", scope));
    const UnnestedList unnested = MakeUnnested(*call.args[0], list.text, sql::QuoteIdentifier(NewName("list", scope)));
    const std::string from = StrCat(" FROM UNNEST(", unnested.text, ") AS ", as);
    const std::string tail = name == "arrayDistinct"
                                 ? StrCat(" WITH OFFSET AS place GROUP BY ", as, " ORDER BY MIN(place))")
                                 : StrCat(" ORDER BY ", as, name == "arraySort" ? ")" : " DESC)");
    return BqValue{unnested.Wrap(StrCat("ARRAY(SELECT ", as, from, tail))};
  }
  if (name == "arraySlice" && (count == 2 || count == 3) && is_list(0)) {
    int64_t begin = 0, length = 0;
    const bool literal = IsLiteralInteger(*call.args[1], begin) && begin > 0 &&
                         (count == 2 || (IsLiteralInteger(*call.args[2], length) && length >= 0));
    if (!literal) return Unsupported(call.span, "arraySlice with a place or length that is no positive literal");
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue list, Value(*call.args[0], scope));
    const std::string as = sql::QuoteIdentifier(NewName("", scope));
    std::string where = begin > 1 ? StrCat("place >= ", begin - 1) : "";
    if (count == 3) where += StrCat(where.empty() ? "" : " AND ", "place < ", begin - 1 + length);
    const UnnestedList unnested = MakeUnnested(*call.args[0], list.text, sql::QuoteIdentifier(NewName("list", scope)));
    return BqValue{
        unnested.Wrap(StrCat("ARRAY(SELECT ", as, " FROM UNNEST(", unnested.text, ") AS ", as, " WITH OFFSET AS place",
                             where.empty() ? "" : " WHERE ", where, " ORDER BY place)"))};
  }
  if (name == "length" && count == 1 && is_list(0)) {
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue list, Value(*call.args[0], scope));
    return BqValue{StrCat("ARRAY_LENGTH(", list.text, ")")};
  }
  if (name == "has" && count == 2 && is_list(0)) {
    if (part(0).kind != TypeOf(*call.args[1]).kind || part(0).nullable || TypeOf(*call.args[1]).nullable)
      return Unsupported(call.span, "has of values of other types, or that may be NULL");
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue list, Value(*call.args[0], scope));
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(*call.args[1], scope));
    return BqValue{StrCat(In(value, Binds::kSum), " IN UNNEST(", list.text, ")"), Binds::kComparison, true, false};
  }
  handled = false;
  return BqValue();
}

}  // namespace logquery::tools
