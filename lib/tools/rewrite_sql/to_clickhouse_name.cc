// Names: columns of logs and of other rows, and fields of logs, which are keys of log_attributes.
#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

// How often a record's fields have this flattened key.
int CountKeys(const Type& record, std::string_view key, int depth) {
  if (depth > 64) return 0;
  int count = 0;
  for (const Field& field : record.fields()) {
    const bool is_record = field.type.is_record() || field.type.is_struct();
    if (!is_record) {
      count += field.name == key ? 1 : 0;
    } else if (key.size() > field.name.size() + 1 && key.starts_with(field.name) && key[field.name.size()] == '.') {
      const Type inner = field.type.is_record() ? field.type.element() : field.type;
      count += CountKeys(inner, key.substr(field.name.size() + 1), depth + 1);
    }
  }
  return count;
}

const Field* ColumnNamed(const Table& table, std::string_view name) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Field& f) { return f.name == name; });
  return found == table.columns.end() ? nullptr : &*found;
}

}  // namespace

const ToClickHouse::Source* ToClickHouse::FindSource(const sql::FromItem* item, const Scope& scope) {
  for (const Source& source : scope.sources) {
    if (source.item == item) return &source;
  }
  return nullptr;
}

// A column is qualified where several tables are read, and where an alias of the SELECT list would win over it.
ch::ExprPtr ToClickHouse::Qualified(const Source& source, const std::string& name, const Scope& scope) {
  const auto tables = std::count_if(scope.sources.begin(), scope.sources.end(),
                                    [](const Source& known) { return !known.qualifier.empty(); });
  bool hidden = tables > 1;
  for (const Item& item : scope.items) {
    if (item.name != name) continue;
    const bool itself =
        item.source && item.source->item == source.item && item.source->column == name && item.source->fields.empty();
    hidden = hidden || !itself;
  }
  if (!hidden || source.qualifier.empty()) return ch::MakeName(name);
  return ch::MakeName(source.qualifier, name);
}

ch::ExprPtr ToClickHouse::Attribute(const Source& source, const std::string& key, const Scope& scope) {
  return ch::MakeCallOf("arrayElement", Qualified(source, "log_attributes", scope), ch::MakeString(key));
}

ch::ExprPtr ToClickHouse::HasKey(const Source& source, const std::string& key, const Scope& scope) {
  return ch::MakeCallOf("mapContains", Qualified(source, "log_attributes", scope), ch::MakeString(key));
}

ch::ExprPtr ToClickHouse::HasRecord(const Source& source, const std::string& key, const Scope& scope) {
  auto lambda = std::make_unique<ch::Expr>();
  lambda->kind = ch::ExprKind::kLambda;
  lambda->path = {"k"};
  lambda->args.push_back(ch::MakeCallOf("startsWith", ch::MakeName("k"), ch::MakeString(StrCat(key, "."))));
  return ch::MakeCallOf("arrayExists", std::move(lambda),
                        ch::MakeCallOf("mapKeys", Qualified(source, "log_attributes", scope)));
}

Type ToClickHouse::ListElement(const Source& source, const NameSource& name) {
  const Field* column = ColumnNamed(*source.log, name.column);
  if (column == nullptr) return Type::Bytes();
  Type type = column->type;
  for (const std::string& field : name.fields) {
    if (type.is_record()) type = type.element();
    const int at = type.is_struct() ? type.FindField(field) : -1;
    if (at < 0) return Type::Bytes();
    type = Type(type.fields()[static_cast<size_t>(at)].type);
  }
  return type.is_array() && !type.is_record() ? type.element() : Type::Bytes();
}

absl::StatusOr<ch::ExprPtr> ToClickHouse::ListOf(ch::ExprPtr text, const Type& element, sql::Span span) const {
  std::vector<ch::ExprPtr> args;
  args.push_back(std::move(text));
  if (element.is(TypeKind::kString))
    return ch::FillTemplate("arrayMap(x -> JSONExtractString(x), JSONExtractArrayRaw(_1))", args);
  if (element.is(TypeKind::kInt64)) return ch::FillTemplate("arrayMap(x -> toInt64(x), JSONExtractArrayRaw(_1))", args);
  return Unsupported(span, StrCat("a stored list of ", element.ToString()));
}

absl::StatusOr<std::string> ToClickHouse::KeyOf(const Source& source, const NameSource& name, sql::Span span) const {
  const std::string key = base::Join(name.fields, ".");
  const Field* metadata = ColumnNamed(*source.log, "metadata");
  if (name.column != "metadata" || metadata == nullptr || !metadata->type.is_record())
    return Unsupported(span, "a field of another column than metadata");
  for (const Field& column : source.log->columns) {
    if (column.name != "metadata" && (column.name == key || key.starts_with(StrCat(column.name, ".")))) {
      const bool is_plain = column.name == "id" || column.name == "timestamp" || column.name == "event_message";
      if (!is_plain)
        return Unsupported(span, StrCat("log_attributes['", key, "'] is the row's column ", column.name,
                                        ", which hides the field of metadata"));
    }
  }
  if (CountKeys(metadata->type.element(), key, 0) != 1)
    return Unsupported(span, StrCat("the key ", key, " of log_attributes is not that of one field"));
  return key;
}

ch::ExprPtr ToClickHouse::PlainText(const sql::Expr& expr, const Scope& scope) const {
  if (!TypeOf(expr).is(TypeKind::kString) || expr.kind != sql::ExprKind::kPath) return nullptr;
  const std::optional<NameSource> name = names_.SourceOf(expr);
  const Source* source = name ? FindSource(name->item, scope) : nullptr;
  if (source == nullptr || source->log == nullptr || name->fields.empty()) return nullptr;
  const absl::StatusOr<std::string> key = KeyOf(*source, *name, expr.span);
  return key.ok() ? Attribute(*source, *key, scope) : nullptr;
}

absl::StatusOr<ChValue> ToClickHouse::ColumnOf(const Source& source, const std::string& name, const Scope& scope,
                                               sql::Span span) {
  if (source.log == nullptr) {
    for (const ChColumn& column : source.columns) {
      if (!base::EqualsIgnoreCase(column.name, name)) continue;
      return ChValue{Qualified(source, column.name, scope), column.type, column.nullable, column.is_datetime};
    }
    return Unsupported(span, StrCat("the column ", name));
  }
  if (base::EqualsIgnoreCase(name, "id")) return ChValue{Qualified(source, "id", scope), Type::String(), false, false};
  if (base::EqualsIgnoreCase(name, "event_message"))
    return ChValue{Qualified(source, "event_message", scope), Type::String(), false, false};
  if (base::EqualsIgnoreCase(name, "timestamp"))
    return ChValue{Qualified(source, "timestamp", scope), Type::Timestamp(), false, false};
  return Unsupported(span, StrCat("the column ", name, " of a log"));
}

absl::StatusOr<ChValue> ToClickHouse::FieldOf(const Source& source, const NameSource& name, const Type& type,
                                              sql::Span span, const Scope& scope, Use use) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string key, KeyOf(source, name, span));
  switch (type.kind()) {
    case TypeKind::kString:
      Note(span, "an absent key of log_attributes is '', not NULL; mapContains tells them apart where it matters");
      return ChValue{ch::MakeCallOf("if", HasKey(source, key, scope), Attribute(source, key, scope), ch::MakeNull()),
                     type, true, false};
    case TypeKind::kInt64:
      Note(span, "log_attributes holds texts; numbers are read with toInt64OrNull and toFloat64OrNull");
      return ChValue{ch::MakeCallOf("toInt64OrNull", Attribute(source, key, scope)), type, true, false};
    case TypeKind::kFloat64:
      Note(span, "log_attributes holds texts; numbers are read with toInt64OrNull and toFloat64OrNull");
      return ChValue{ch::MakeCallOf("toFloat64OrNull", Attribute(source, key, scope)), type, true, false};
    case TypeKind::kBool: {
      ch::ExprPtr text = Attribute(source, key, scope);
      if (use == Use::kValue) text = ch::MakeCallOf("nullIf", std::move(text), ch::MakeString(""));
      return ChValue{ch::MakeCallOf("equals", std::move(text), ch::MakeString("true")), type, use == Use::kValue,
                     false};
    }
    case TypeKind::kArray: {
      if (type.is_record()) break;
      LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr list, ListOf(Attribute(source, key, scope), type.element(), span));
      Note(span, "a list is the text of a JSON array in log_attributes; an absent one is read as []");
      return ChValue{std::move(list), type, false, false};
    }
    default:
      break;
  }
  return Unsupported(span, StrCat("a field of type ", type.ToString()));
}

absl::StatusOr<ChValue> ToClickHouse::Name(const sql::Expr& expr, const Scope& scope, Use use) {
  const auto* path = sql::If<sql::PathExpr>(&expr);
  if (path != nullptr && scope.sees_aliases && !in_aggregate_) {
    for (size_t i = 0; i < scope.items.size(); ++i) {
      const Item& item = scope.items[i];
      if (item.name.empty() || !base::EqualsIgnoreCase(item.name, path->names[0].text)) continue;
      if (path->names.size() > 1) break;
      // The item's own names are those of FROM.
      const bool before = std::exchange(in_aggregate_, true);
      absl::StatusOr<ChValue> value = Expr(*item.expr, scope, Use::kValue);
      in_aggregate_ = before;
      LOGQUERY_RETURN_IF_ERROR(value.status());
      value->expr = ch::MakeName(item.name);
      return value;
    }
  }
  const std::optional<NameSource> name = names_.SourceOf(expr);
  if (!name) return Unsupported(expr.span, "this name");
  const Source* source = FindSource(name->item, scope);
  if (source == nullptr) {
    return Unsupported(expr.span,
                       "a subquery that reads a column of the query around it; write a join, or IN with a subquery");
  }
  if (source->log == nullptr) {
    if (!name->fields.empty()) return Unsupported(expr.span, "a field of a record that a subquery returns");
    const std::string& column = name->column.empty() ? source->columns[0].name : name->column;
    if (column == "offset" && source->columns.size() > 1)
      return ColumnOf(*source, source->columns[1].name, scope, expr.span);
    return ColumnOf(*source, column, scope, expr.span);
  }
  if (!name->fields.empty()) return FieldOf(*source, *name, TypeOf(expr), expr.span, scope, use);
  if (name->column.empty() || name->column == "metadata")
    return Unsupported(expr.span, "metadata as a whole; log_attributes is a flat map. Name its fields");
  return ColumnOf(*source, name->column, scope, expr.span);
}

}  // namespace logquery::tools
