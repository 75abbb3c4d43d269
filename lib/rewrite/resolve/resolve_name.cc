// Resolves names and paths, fields, and array elements.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/learned_names.h"
#include "lib/rewrite/resolve/nested_names.h"
#include "lib/rewrite/resolve/no_overload.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/rewrite/type_size.h"
#include "lib/sql/printer.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

namespace {

// "; there are a, b, c and 9 more": what a person may have meant by a name that is like none.
std::string FieldList(const std::vector<std::string>& names) {
  constexpr size_t kMost = 12;
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (!name.empty() && shown.size() < kMost) shown.push_back(name);
  }
  if (shown.empty()) return "";
  const std::string more = names.size() > shown.size() ? StrCat(" and ", names.size() - shown.size(), " more") : "";
  return StrCat("; there are ", base::Join(shown, ", "), more);
}

// "edge_logs and auth_logs", "a, b and c".
std::string AllOf(const std::vector<std::string>& names) {
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  return StrCat(base::Join(first, ", "), " and ", names.back());
}

// The error of a name that several columns of a scope have: the tables and records that have it, and how it is written instead.
std::string AmbiguousName(const Scope& scope, const std::string& name) {
  std::vector<std::string> ranges = scope.RangesWith(name);
  for (std::string& range : ranges) range = sql::QuoteIdentifier(range);
  if (ranges.size() < 2) {
    return StrCat("the name ", name, " is ambiguous: several tables or records here have it; ",
                  "write it with the alias of one before it");
  }
  return StrCat("the name ", name, " is ambiguous: ", AllOf(ranges), " have it; write ", ranges.front(), ".", name,
                " or ", ranges.back(), ".", name);
}

}  // namespace

ScalarPtr Resolver::NameToScalar(const VisibleName& name, sql::Span span) {
  if (name.value != nullptr) return Clone(*name.value);
  ScalarPtr scalar = std::make_unique<ColumnRef>(name.column);
  scalar->span = span;
  if (name.field >= 0) {
    scalar = std::make_unique<FieldRef>(std::move(scalar), name.field);
    scalar->span = span;
  }
  return name.row ? MakeRecordOfRow(std::move(scalar), std::make_unique<ColumnRef>(*name.row)) : std::move(scalar);
}

absl::StatusOr<ScalarPtr> Resolver::RangeToScalar(const RangeVariable& range, sql::Span span) {
  if (range.value) return ScalarPtr(std::make_unique<ColumnRef>(*range.value));
  std::vector<Field> fields;
  std::vector<ScalarPtr> values;
  for (const VisibleName& column : range.columns) {
    fields.push_back({column.name, column.type()});
    values.push_back(NameToScalar(column, span));
  }
  Type made = Type::Struct(std::move(fields));
  if (const absl::Status size = CheckTypeSize(made); !size.ok()) return Error(span, base::Message(size));
  return ScalarPtr(std::make_unique<StructMake>(std::move(made), std::move(values)));
}

// Returns how a field of that name, or of the path's last name, is read; empty: there is none, or rows have taught it.
std::string Resolver::UnknownNameHint(const sql::PathExpr& path, const ExprContext& context) {
  const std::string& first = path.names.front().text;
  const std::string& last = path.names.back().text;
  if (IsLearnedName(first, options_.catalog) || IsLearnedName(last, options_.catalog)) return "";
  // metadata.level, of a log that has the field level itself.
  if (path.names.size() > 1 && context.scope->Find(last).column != nullptr) {
    return StrCat("; the field ", last, " is read as ", last);
  }
  std::string hint;
  for (const std::string* name : {&first, &last}) {
    for (const Scope* scope = context.scope; scope != nullptr && hint.empty(); scope = scope->outer()) {
      hint = NestedNameHint(scope->columns, *name, own_records_);
    }
  }
  if (!hint.empty() || !base::EqualsIgnoreCase(first, "metadata")) return hint;
  std::vector<std::string> names;
  for (const VisibleName& column : context.scope->columns) names.push_back(column.name);
  return FieldList(WithoutLearnedNames(std::move(names), options_.catalog));
}

absl::Status Resolver::UnknownName(const sql::PathExpr& path, const ExprContext& context) {
  const sql::Identifier& name = path.names.front();
  const auto is_named = [&](const sql::SelectItem& item) {
    return item.alias && base::EqualsIgnoreCase(item.alias->text, name.text);
  };
  if (context.later != nullptr && std::any_of(context.later->begin(), context.later->end(), is_named)) {
    return Error(name.span, StrCat(context.clause, " can't see ", name.text,
                                   ", which SELECT names after it; repeat the expression here, or write the condition "
                                   "into HAVING (what is aggregated), QUALIFY (window functions) or a query around"));
  }
  std::vector<std::string> names = context.scope->Names();
  if (context.aliases != nullptr) {
    for (const Alias& alias : *context.aliases) names.push_back(alias.name);
  }
  std::vector<std::string> near = sql::NearestNames(name.text, WithoutLearnedNames(std::move(names), options_.catalog));
  std::string hint = near.empty() ? UnknownNameHint(path, context) : "";
  if (hint.empty() && context.beside_text) hint = QuotesHint(name.text);
  return Error(name.span, StrCat("unknown name ", name.text, hint), std::move(near));
}

absl::StatusOr<ScalarPtr> Resolver::ResolvePath(const sql::PathExpr& path, const ExprContext& context) {
  const sql::Identifier& first = path.names[0];
  if (context.aliases != nullptr && !context.inside_aggregate) {
    const Scalar* value = nullptr;
    for (const Alias& alias : *context.aliases) {
      if (!base::EqualsIgnoreCase(alias.name, first.text)) continue;
      if (value != nullptr) return Error(first.span, StrCat("the alias ", first.text, " is ambiguous"));
      value = alias.value;
    }
    // A longer path is about a range variable where there is one of that name.
    bool hidden = path.names.size() > 1 && context.scope->FindHere(first.text).range != nullptr;
    if (value != nullptr && !hidden) LOGQUERY_RETURN_IF_ERROR(CheckRepeatable(*value, 1, first.span));
    if (value != nullptr && !hidden) return ResolveFields(Clone(*value), path.names, 1);
  }
  Scope::Found found = context.scope->Find(first.text);
  if (!found) return UnknownName(path, context);
  if (found.ambiguous) {
    return Error(first.span, AmbiguousName(*context.scope, first.text));
  }
  if (found.column != nullptr) return ResolveFields(NameToScalar(*found.column, first.span), path.names, 1);
  const RangeVariable& range = *found.range;
  if (range.value || path.names.size() == 1) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr whole, RangeToScalar(range, first.span));
    return ResolveFields(std::move(whole), path.names, 1);
  }
  const sql::Identifier& second = path.names[1];
  const VisibleName* column = nullptr;
  for (const VisibleName& candidate : range.columns) {
    if (!base::EqualsIgnoreCase(candidate.name, second.text)) continue;
    if (column != nullptr)
      return Error(second.span, StrCat("the column ", second.text, " of ", first.text, " is ambiguous"));
    column = &candidate;
  }
  if (column == nullptr) {
    std::vector<std::string> names;
    for (const VisibleName& candidate : range.columns) names.push_back(candidate.name);
    return Error(second.span, StrCat(first.text, " has no column ", second.text),
                 sql::NearestNames(second.text, names));
  }
  return ResolveFields(NameToScalar(*column, second.span), path.names, 2);
}

// The caller wrote names[0].….names[field], and what stands before `field` is an array.
absl::Status Resolver::ArrayOfRecordsError(const std::vector<sql::Identifier>& names, size_t field) const {
  std::string array;
  for (size_t i = 0; i < field; ++i) base::StrAppend(&array, i == 0 ? "" : ".", names[i].text);
  const std::string& name = names[field].text;
  return Error(names[field].span, StrCat("can't read the field ", name, " of ", array,
                                         ", which is an array of records; write LEFT JOIN UNNEST(", array,
                                         ") AS r into FROM, and r.", name, " here"));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveFields(ScalarPtr base, const std::vector<sql::Identifier>& names,
                                                  size_t from) {
  for (size_t i = from; i < names.size(); ++i) {
    base = ElementOfOwnRecord(std::move(base));
    if (base->type.is_array() && base->type.is_record()) return ArrayOfRecordsError(names, i);
    LOGQUERY_ASSIGN_OR_RETURN(base, GetField(std::move(base), names[i]));
  }
  return base;
}

absl::StatusOr<ScalarPtr> Resolver::GetField(ScalarPtr base, const sql::Identifier& name) {
  base = ElementOfOwnRecord(std::move(base));
  if (base->type.is(TypeKind::kJson)) {
    return MakeCall("$json_field", std::move(base), MakeLiteral(Value::String(name.text), name.span), name.span);
  }
  if (base->type.is_array()) {
    return Error(name.span, StrCat("can't read the field ", name.text,
                                   " of an array; take an element first: [OFFSET(0)].", name.text));
  }
  if (!base->type.is_struct()) {
    return Error(name.span, StrCat("can't read the field ", name.text, " of a value of type ", base->type.ToString()));
  }
  int found = -1;
  const std::vector<Field>& fields = base->type.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!base::EqualsIgnoreCase(fields[i].name, name.text)) continue;
    if (found >= 0) return Error(name.span, StrCat("the field ", name.text, " is ambiguous: the STRUCT has it twice"));
    found = static_cast<int>(i);
  }
  if (found < 0) {
    std::vector<std::string> names;
    for (const Field& field : fields) names.push_back(field.name);
    names = WithoutLearnedNames(std::move(names), options_.catalog);
    const std::vector<std::string> near = sql::NearestNames(name.text, names);
    return Error(name.span, StrCat("there is no field ", name.text, near.empty() ? FieldList(names) : ""), near);
  }
  return ReadField(std::move(base), found, name.span);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveSubscript(const sql::Subscript& subscript, const ExprContext& context) {
  using Mode = sql::Subscript::Mode;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr base, ResolveExpr(*subscript.base, context));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr index, ResolveExpr(*subscript.index, context));
  if (base->type.is(TypeKind::kJson)) {
    bool by_name = index->type.is(TypeKind::kString);
    return MakeCall(by_name ? "$json_field" : "$json_index", std::move(base), std::move(index), subscript.span);
  }
  if (base->type.is_struct()) return StructAt(subscript, std::move(base), std::move(index));
  if (!base->type.is_array()) {
    return Error(subscript.span, StrCat("can't take an element of a value of type ", base->type.ToString()));
  }
  const char* function = "$at_offset";
  switch (subscript.mode) {
    case Mode::kPlain:
    case Mode::kOffset:
      break;
    case Mode::kOrdinal:
      function = "$at_ordinal";
      break;
    case Mode::kSafeOffset:
      function = "$safe_at_offset";
      break;
    case Mode::kSafeOrdinal:
      function = "$safe_at_ordinal";
      break;
    case Mode::kKey:
    case Mode::kSafeKey:
      return Error(subscript.span, "an array's element is read by OFFSET or ORDINAL, not by KEY");
  }
  return MakeCall(function, std::move(base), std::move(index), subscript.span);
}

// A STRUCT's field by its place: `dates[0]` where `dates` is a range variable of one column.
absl::StatusOr<ScalarPtr> Resolver::StructAt(const sql::Subscript& subscript, ScalarPtr base, ScalarPtr index) {
  const Constant* place = If<Constant>(index.get());
  if (place == nullptr || !place->value.type().is(TypeKind::kInt64) || place->value.is_null()) {
    return Error(subscript.index->span, "the place of a STRUCT's field has to be an integer literal");
  }
  bool ordinal =
      subscript.mode == sql::Subscript::Mode::kOrdinal || subscript.mode == sql::Subscript::Mode::kSafeOrdinal;
  int64_t at = place->value.int64_value() - (ordinal ? 1 : 0);
  int64_t count = static_cast<int64_t>(base->type.fields().size());
  if (at < 0 || at >= count) {
    return Error(subscript.index->span, StrCat("there is no field ", place->value.int64_value(), ": the STRUCT has ",
                                               count, " field", count == 1 ? "" : "s"));
  }
  return ReadField(std::move(base), static_cast<int>(at), subscript.span);
}

}  // namespace logquery::rewrite
