// Records in the result: a tuple whose parts have names is an object in the answer, as a STRUCT is. A stored record, which has one
// element or none, is a list of one tuple or of none, and the tuple's parts are the keys of log_attributes below it.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/clickhouse_sql/resolve/type.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

// The name of the type in ClickHouse; empty: there is none.
std::string TypeName(const Type& type, bool nullable, bool is_datetime) {
  const auto scalar = [&](std::string_view name) {
    return nullable ? StrCat("Nullable(", name, ")") : std::string(name);
  };
  switch (type.kind()) {
    case TypeKind::kBool:
      return scalar("Bool");
    case TypeKind::kInt64:
      return scalar("Int64");
    case TypeKind::kFloat64:
      return scalar("Float64");
    case TypeKind::kString:
      return scalar("String");
    case TypeKind::kDate:
      return scalar("Date");
    case TypeKind::kTimestamp:
    case TypeKind::kDatetime:
      return scalar(is_datetime ? "DateTime" : "DateTime64(6)");
    case TypeKind::kArray: {
      // Elements are never NULL, but parts of a record may be.
      const std::string element = TypeName(type.element(), false, false);
      return element.empty() ? "" : StrCat("Array(", element, ")");
    }
    case TypeKind::kStruct: {
      std::vector<std::string> parts;
      for (const Field& field : type.fields()) {
        const std::string part = TypeName(field.type, true, false);
        if (part.empty() || field.name.empty()) return "";
        parts.push_back(StrCat(ch::NameInType(field.name), " ", part));
      }
      return parts.empty() ? "" : StrCat("Tuple(", base::Join(parts, ", "), ")");
    }
    default:
      return "";
  }
}

bool HasRecords(const Type& type) { return type.is_struct() || (type.is_array() && type.element().is_struct()); }

ch::ExprPtr CastTo(ch::ExprPtr value, std::string type) {
  return ch::MakeCallOf("CAST", std::move(value), ch::MakeString(std::move(type)));
}

}  // namespace

absl::StatusOr<ChValue> ToClickHouse::Shown(const sql::Expr& expr, const Scope& scope) {
  if (!HasRecords(TypeOf(expr))) return Expr(expr, scope);
  if (const auto* made = sql::If<sql::StructExpr>(&expr); made != nullptr && !made->is_tuple)
    return NamedStruct(*made, scope);
  if (const auto* call = sql::If<sql::Call>(&expr); call != nullptr && call->over == nullptr)
    return Expr(expr, scope);  // ARRAY_AGG
  const std::optional<NameSource> name = names_.SourceOf(expr);
  const Source* source = name ? FindSource(name->item, scope) : nullptr;
  if (source != nullptr && source->log != nullptr) return StoredRecord(*source, *name, TypeOf(expr), expr.span, scope);
  // The name of a log's rows.
  const auto* path = sql::If<sql::PathExpr>(&expr);
  for (const Source& known : scope.sources) {
    const bool whole =
        !name && path != nullptr && path->names.size() == 1 && known.log != nullptr && TypeOf(expr).is_struct() &&
        (base::EqualsIgnoreCase(path->names[0].text, known.alias) ||
         (known.item->alias == std::nullopt && base::EqualsIgnoreCase(path->names[0].text, known.log_name)));
    if (whole) return StoredRecord(known, {known.item, "", {}}, TypeOf(expr), expr.span, scope);
  }
  // A column of other rows.
  if (source != nullptr && name->fields.empty()) return Expr(expr, scope);
  return Unsupported(expr.span, "this record in the result; name its fields");
}

// The tuple of a record's fields, without the names.
absl::StatusOr<ch::ExprPtr> ToClickHouse::RecordParts(const Source& source, const std::vector<std::string>& path,
                                                      const Type& record, sql::Span span, const Scope& scope) {
  const Type fields = record.is_struct() ? record : record.element();
  std::vector<ch::ExprPtr> parts;
  for (const Field& field : fields.fields()) {
    NameSource name;
    name.column = "metadata";
    name.fields = path;
    name.fields.push_back(field.name);
    if (HasRecords(field.type)) {
      LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr inner, RecordList(source, name.fields, field.type, span, scope));
      parts.push_back(std::move(inner));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, FieldOf(source, name, field.type, span, scope, Use::kValue));
    parts.push_back(std::move(value.expr));
  }
  return ch::MakeCall("tuple", std::move(parts));
}

// A list of one tuple if one of the record's keys is there, otherwise of none.
absl::StatusOr<ch::ExprPtr> ToClickHouse::RecordList(const Source& source, const std::vector<std::string>& path,
                                                     const Type& record, sql::Span span, const Scope& scope) {
  if (!record.is_record()) return Unsupported(span, "a stored list of records");
  LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr parts, RecordParts(source, path, record, span, scope));
  ch::ExprPtr list = ch::MakeCallOf("array", std::move(parts));
  if (path.empty()) {
    const bool never_absent = !source.log->project_path.empty() && source.log->project_path[0] == "metadata";
    if (!never_absent && !options_.rows_have_metadata) {
      return Unsupported(span, StrCat("metadata of ", source.log_name,
                                      " as a whole: log_attributes can't tell a row whose metadata is NULL from "
                                      "one with an empty record; name its fields"));
    }
    if (!never_absent)
      Note(span, "every row is taken to have metadata; in BigQuery's answer it is [] where it is NULL");
    return list;
  }
  Note(span,
       "log_attributes shows a record by its keys, so that a record of which no field has a value is taken to be "
       "absent");
  auto lambda = std::make_unique<ch::Expr>();
  lambda->kind = ch::ExprKind::kLambda;
  lambda->path = {"r"};
  lambda->args.push_back(HasRecord(source, base::Join(path, "."), scope));
  return ch::MakeCallOf("arrayFilter", std::move(lambda), std::move(list));
}

// A stored record in the result: `metadata`, `m.request`, or the m of UNNEST(metadata) AS m.
absl::StatusOr<ChValue> ToClickHouse::StoredRecord(const Source& source, const NameSource& name, const Type& type,
                                                   sql::Span span, const Scope& scope) {
  if (source.absent) return Unsupported(span, "a record of a log that may be absent");
  const std::string made = TypeName(type, false, false);
  if (made.empty()) return Unsupported(span, StrCat("a record of type ", type.ToString()));
  ch::ExprPtr value;
  if (name.column.empty()) {
    // The row: each of its columns.
    std::vector<ch::ExprPtr> parts;
    for (const Field& field : type.fields()) {
      if (HasRecords(field.type)) {
        if (field.name != "metadata") return Unsupported(span, StrCat("the column ", field.name, " of a log"));
        LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr record, RecordList(source, {}, field.type, span, scope));
        parts.push_back(std::move(record));
        continue;
      }
      LOGQUERY_ASSIGN_OR_RETURN(ChValue column, ColumnOf(source, field.name, scope, span));
      parts.push_back(std::move(column.expr));
    }
    value = ch::MakeCall("tuple", std::move(parts));
  } else if (name.column != "metadata") {
    return Unsupported(span, StrCat("the column ", name.column, " of a log"));
  } else if (type.is_struct()) {
    // An element of the record: it is there if FROM drops the rows without it.
    const bool present = std::any_of(source.required.begin(), source.required.end(), [&](const Required& required) {
      return required.fields.size() >= name.fields.size() &&
             std::equal(name.fields.begin(), name.fields.end(), required.fields.begin());
    });
    if (!present)
      return Unsupported(span, "a record that may be absent, which is NULL; no tuple is NULL in ClickHouse");
    LOGQUERY_ASSIGN_OR_RETURN(value, RecordParts(source, name.fields, type, span, scope));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(value, RecordList(source, name.fields, type, span, scope));
  }
  Note(span, "a record is a tuple whose parts have names, an object in the answer");
  return ChValue{CastTo(std::move(value), made), type, false, false};
}

// STRUCT(a AS x, b AS y).
absl::StatusOr<ChValue> ToClickHouse::NamedStruct(const sql::StructExpr& made, const Scope& scope) {
  if (made.type) return Unsupported(made.span, "a STRUCT with a type");
  const Type& type = TypeOf(made);
  std::vector<ch::ExprPtr> parts;
  std::vector<std::string> names;
  for (size_t i = 0; i < made.items.size(); ++i) {
    const sql::Expr& item = *made.items[i].value;
    const Field& field = type.fields()[i];
    if (field.name.empty()) return Unsupported(item.span, "a field of a STRUCT without a name; give it one with AS");
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Shown(item, scope));
    const std::string part = TypeName(field.type, value.nullable, value.is_datetime);
    if (part.empty()) return Unsupported(item.span, StrCat("a field of type ", field.type.ToString()));
    names.push_back(StrCat(ch::NameInType(field.name), " ", part));
    parts.push_back(std::move(value.expr));
  }
  if (names.empty()) return Unsupported(made.span, "a STRUCT without fields");
  Note(made.span, "a STRUCT is a tuple whose parts have names, an object in the answer");
  return ChValue{CastTo(ch::MakeCall("tuple", std::move(parts)), StrCat("Tuple(", base::Join(names, ", "), ")")), type,
                 false, false};
}

}  // namespace logquery::tools
