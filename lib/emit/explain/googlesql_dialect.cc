// Writes plans as readable GoogleSQL.
#include "lib/emit/explain/googlesql_dialect.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/explain/googlesql_literals.h"
#include "lib/emit/explain/spellings.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/printer.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using base::StrCat;
using rewrite::FunctionCall;

// A path into a record, as queries write it.
StatusOr<Text> PathText(const Table& table, const HotColumn& hot, std::string_view alias) {
  std::string text(alias);
  const Type* type = nullptr;
  for (const std::string& name : hot.path) {
    if (type != nullptr && type->is_record()) text += "[SAFE_OFFSET(0)]";
    base::StrAppend(&text, ".", sql::QuoteIdentifier(name));
    const Schema& fields = type == nullptr ? table.columns : type->fields();
    type = nullptr;
    for (const Field& field : fields) {
      if (base::EqualsIgnoreCase(field.name, name)) type = &field.type;
    }
    if (type == nullptr) return absl::InternalError(StrCat("hot column ", hot.column, " has a path that is not there"));
  }
  if (hot.holds == HotColumn::Holds::kValue) return Text{std::move(text), Text::Kind::kPath};
  return Text{StrCat("(IFNULL(ARRAY_LENGTH(", text, "), 0) > 0)"), Text::Kind::kCheap};
}

bool IsPart(const FunctionCall& call, size_t index) {
  const auto& parameters = call.overload->parameters;
  if (parameters.empty()) return false;
  const size_t at = std::min(index, parameters.size() - 1);
  return parameters[at].type.kind == rewrite::TypePattern::Kind::kPart;
}

std::string Balanced(const std::vector<std::string>& operands, std::string_view op) {
  return StrCat("(", base::Join(operands, op), ")");
}

// FILTER is no GoogleSQL: rows that fail it give NULL, which is then left out.
void ApplyFilter(const AggregateTexts& texts, std::string& name, Texts& args, std::string& nulls) {
  if (texts.filter.empty()) return;
  if (args.empty()) {
    name = "COUNTIF";
    args.push_back(texts.filter);
    return;
  }
  args[0] = Cat("IF(", texts.filter, ", ", args[0], ", NULL)");
  if (name == "ARRAY_AGG") nulls = " IGNORE NULLS";
}

}  // namespace

std::string GoogleSqlDialect::Identifier(std::string_view name) const { return sql::QuoteIdentifier(name); }

std::string GoogleSqlDialect::TypeName(const Type& type) const { return type.ToString(); }

StatusOr<std::string> GoogleSqlDialect::Literal(const Value& value) const { return GoogleSqlLiteral(value); }

std::string GoogleSqlDialect::Parameter(int /*slot*/, std::string_view name, const Type& /*type*/) const {
  if (name == rewrite::kNowParameter) return "CURRENT_TIMESTAMP()";
  return StrCat("@", sql::QuoteIdentifier(name));
}

std::string GoogleSqlDialect::TableName(const Table& table) const { return sql::QuoteIdentifier(table.name); }

StatusOr<Text> GoogleSqlDialect::StoredColumn(const rewrite::TableScan& scan, size_t column,
                                              std::string_view alias) const {
  const std::string& stored = scan.storage[column];
  for (const logquery::Field& field : scan.table->columns) {
    if (base::EqualsIgnoreCase(field.name, stored)) {
      return Text{StrCat(alias, ".", sql::QuoteIdentifier(field.name)), Text::Kind::kPath};
    }
  }
  for (const std::vector<HotColumn>* columns : {&scan.table->hot_columns, &scan.table->learned_columns}) {
    for (const HotColumn& hot : *columns) {
      if (base::EqualsIgnoreCase(hot.column, stored)) return PathText(*scan.table, hot, alias);
    }
  }
  return absl::InternalError(StrCat("table ", scan.table->name, " has no column ", stored));
}

StatusOr<Text> GoogleSqlDialect::Field(const Text& base, const Type& type, int index) const {
  const std::string& name = type.fields()[static_cast<size_t>(index)].name;
  const std::string field = sql::QuoteIdentifier(name.empty() ? StrCat("f", index, "_") : name);
  if (base.kind == Text::Kind::kPath) return Text{StrCat(base.sql, ".", field), Text::Kind::kPath};
  return Text{StrCat("(", base.sql, ").", field), Text::Kind::kOther};
}

StatusOr<Text> GoogleSqlDialect::Call(const FunctionCall& call, const std::vector<Text>& args) const {
  const rewrite::FunctionRow& row = *call.overload->row;
  std::vector<std::string> texts;
  for (size_t i = 0; i < args.size(); ++i) {
    texts.push_back(args[i].sql);
    // A date part is a word, not a string.
    const auto* part = rewrite::If<rewrite::Constant>(call.arguments[i].get());
    if (part != nullptr && IsPart(call, i) && !part->value.is_null()) texts.back() = part->value.string_value();
  }
  const std::string_view name = row.name, spelling = GoogleSqlSpellings().Of(*call.overload);
  const bool is_test = name == "$present" && args[0].kind == Text::Kind::kPath;
  const bool is_path = name == "$element" && args[0].kind == Text::Kind::kPath;
  Text::Kind kind = is_path ? Text::Kind::kPath : is_test ? Text::Kind::kCheap : Text::Kind::kOther;
  // The function table has the spelling for a record. This is the one for the row that contains a record:
  if (name == "$present" && !call.arguments[0]->type.is_record())
    return Text{StrCat("(", texts[0], " IS NOT NULL)"), kind};
  if (spelling == "@and") return Text{Balanced(texts, " AND "), kind};
  if (spelling == "@or") return Text{Balanced(texts, " OR "), kind};
  const std::string_view safe = call.safe && name[0] != '$' ? "SAFE." : "";
  if (!spelling.empty()) return Text{StrCat(safe, FillTemplate(spelling, texts)), kind};
  return Text{StrCat(safe, name, "(", base::Join(texts, ", "), ")"), kind};
}

StatusOr<Sql> GoogleSqlDialect::Cast(const CastTexts& texts) const {
  const rewrite::Cast& cast = *texts.cast;
  if (cast.operand->type == cast.type && texts.format.empty()) return texts.operand.ToSql();
  // NULL and [] as written have no type of their own.
  const auto* constant = rewrite::If<rewrite::Constant>(cast.operand.get());
  const bool is_null = constant != nullptr && constant->value.is_null();
  if (cast.type.is_array() && constant != nullptr && !is_null && constant->value.type().is_array() &&
      constant->value.children().empty()) {
    return Cat(cast.type.ToString(), "[]");
  }
  std::string text =
      StrCat(cast.safe ? "SAFE_CAST(" : "CAST(", is_null ? "NULL" : texts.operand.sql, " AS ", cast.type.ToString());
  if (!texts.format.empty()) {
    base::StrAppend(&text, " FORMAT ", texts.format.text());
    if (!texts.time_zone.empty()) base::StrAppend(&text, " AT TIME ZONE ", texts.time_zone.text());
  }
  return Cat(text, ")");
}

StatusOr<Sql> GoogleSqlDialect::Convert(const Type&, const Type&, const Text& value) const { return value.ToSql(); }

StatusOr<Sql> GoogleSqlDialect::Struct(const Type& type, const Texts& fields) const {
  return Cat(type.ToString(), "(", JoinTexts(fields, ", "), ")");
}

Sql GoogleSqlDialect::Array(const Type& type, const Texts& elements) const {
  return Cat(type.ToString(), "[", JoinTexts(elements, ", "), "]");
}

StatusOr<Sql> GoogleSqlDialect::Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>& parameters,
                                       const Sql& body) const {
  const std::string names = base::Join(parameters, ", ");
  return Cat(parameters.size() == 1 ? names : StrCat("(", names, ")"), " -> ", body);
}

StatusOr<Sql> GoogleSqlDialect::Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const {
  std::string name = StrCat(call.safe ? "SAFE." : "", call.overload->row->name);
  std::string nulls = call.ignore_nulls ? " IGNORE NULLS" : call.respect_nulls ? " RESPECT NULLS" : "";
  Texts args = texts.args;
  ApplyFilter(texts, name, args, nulls);
  // One of ours, which GoogleSQL has another spelling for.
  if (call.overload->row->name[0] == '$') {
    const Spellings& spellings = call.distinct ? GoogleSqlDistinctSpellings() : GoogleSqlSpellings();
    return FillTemplate(spellings.Of(*call.overload), args);
  }
  const bool is_count = args.empty() && call.overload->row->kind == rewrite::FunctionKind::kAggregate;
  Sql text = Cat(name, "(", call.distinct ? "DISTINCT " : "", is_count ? "*" : JoinTexts(args, ", "), nulls);
  if (!texts.having.empty()) text.Append(Cat(" HAVING ", call.having_max ? "MAX " : "MIN ", texts.having));
  if (!texts.order_by.empty()) text.Append(Cat(" ", texts.order_by));
  if (!texts.limit.empty()) text.Append(Cat(" LIMIT ", texts.limit));
  return Cat(text, ")", texts.over.empty() ? "" : " ", texts.over);
}

std::string GoogleSqlDialect::NanTest(const Type&, const std::string&) const { return ""; }

std::string GoogleSqlDialect::Grouping(const std::string& key) const { return StrCat("GROUPING(", key, ")"); }

std::string_view GoogleSqlDialect::FromNothing() const { return "(SELECT 1)"; }

std::string_view GoogleSqlDialect::Materialized(bool) const { return ""; }

bool GoogleSqlDialect::WritesOutDerivedParameters() const { return true; }

const SqlDialect& GoogleSql() {
  static const GoogleSqlDialect& dialect = *new GoogleSqlDialect;
  return dialect;
}

}  // namespace logquery::emit
