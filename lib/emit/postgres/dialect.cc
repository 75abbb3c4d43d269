// Implements the dialect interface for PostgreSQL 13 and later, as far as powers.cc allows expressions to be sent.
#include <utility>

#include "lib/base/strings.h"
#include "lib/emit/postgres/json_paths.h"
#include "lib/emit/postgres/postgres_dialect.h"
#include "lib/emit/postgres/powers.h"
#include "lib/emit/postgres/spellings.h"
#include "lib/emit/postgres/texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using base::StrCat;

absl::Status CanNot(std::string_view what) {
  return absl::UnimplementedError(StrCat("PostgreSQL is not asked for ", what));
}

// The operands from `begin` to `end`, in pairs of pairs: a chain of thousands would nest as deep as it is long.
std::string Balanced(const std::vector<std::string>& operands, size_t begin, size_t end, std::string_view op) {
  if (end - begin == 1) return operands[begin];
  const size_t middle = begin + (end - begin) / 2;
  return StrCat("(", Balanced(operands, begin, middle, op), op, Balanced(operands, middle, end, op), ")");
}

class PostgresDialect final : public SqlDialect {
 public:
  const Powers* powers() const override { return &PostgresPowers(); }

  std::string Identifier(std::string_view name) const override { return PostgresIdentifier(name); }
  std::string TypeName(const Type& type) const override { return PostgresType(type); }
  StatusOr<std::string> Literal(const Value& value) const override { return PostgresLiteral(value); }
  std::string Parameter(int slot, std::string_view /*name*/, const Type& type) const override {
    return PostgresOrdered(type, StrCat("$", slot, "::", PostgresType(type)));
  }

  std::string TableName(const Table& table) const override { return table.storage_name; }
  StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column, std::string_view alias) const override {
    const std::string text = StrCat(alias, ".", Identifier(scan.storage[column]));
    return Text{PostgresOrdered(scan.columns[column].type, text), Text::Kind::kPath};
  }

  StatusOr<Text> Field(const Text& base, const Type& type, int index) const override {
    const logquery::Field& field = type.fields()[static_cast<size_t>(index)];
    PostgresRecord record;
    if (base.record != nullptr) {
      record = static_cast<const PostgresRecord&>(*base.record);
    } else {
      record.base = base.sql;
    }
    if (!field.type.is_record()) return Text{PostgresFieldSql(record, field.name, field.type), Text::Kind::kPath};
    record.records.push_back(field.name);
    Text text{PostgresRecordSql(record), Text::Kind::kPath};
    text.record = std::make_shared<PostgresRecord>(std::move(record));
    return text;
  }

  StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const override {
    const std::string_view spelling = PostgresSpellings().Of(*call.overload);
    if (std::string_view(call.overload->row->name) == "$element") return args[0];
    std::vector<std::string> texts;
    for (const Text& arg : args) texts.push_back(arg.sql);
    if (spelling == "@and") return Text{Balanced(texts, 0, texts.size(), " AND "), Text::Kind::kOther};
    if (spelling == "@or") return Text{Balanced(texts, 0, texts.size(), " OR "), Text::Kind::kOther};
    if (spelling == "@timestamp_trunc") return Truncated(call, texts[0]);
    if (spelling.empty()) return CanNot(call.overload->row->name);
    return Text{FillTemplate(spelling, texts), Text::Kind::kOther};
  }

  StatusOr<Sql> Cast(const CastTexts&) const override { return CanNot("casts"); }
  StatusOr<Sql> Convert(const Type&, const Type&, const Text&) const override { return CanNot("arrays"); }
  StatusOr<Sql> Struct(const Type&, const Texts&) const override { return CanNot("STRUCT"); }
  Sql Array(const Type&, const Texts& elements) const override {
    return Cat("jsonb_build_array(", JoinTexts(elements, ", "), ")");
  }
  StatusOr<Sql> Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>&, const Sql&) const override {
    return CanNot("lambdas");
  }

  StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override {
    const std::string_view spelling = PostgresSpellings().Of(*call.overload);
    if (spelling.empty() || texts.args.size() > 1) return CanNot(call.overload->row->name);
    if (!call.distinct || texts.args.empty()) return FillTemplate(spelling, texts.args);
    const size_t arguments = spelling.find('(') + 1;
    return Cat(spelling.substr(0, arguments), "DISTINCT ", FillTemplate(spelling.substr(arguments), texts.args));
  }

  std::string NanTest(const Type&, const std::string&) const override { return ""; }
  std::string Grouping(const std::string& key) const override { return StrCat("grouping(", key, ")"); }
  bool NumbersVariables() const override { return true; }
  std::string_view FromNothing() const override { return ""; }
  std::string_view Materialized(bool materialized) const override {
    return materialized ? "MATERIALIZED " : "NOT MATERIALIZED ";
  }

 private:
  static StatusOr<Text> Truncated(const rewrite::FunctionCall& call, const std::string& time) {
    const auto* const part = rewrite::If<rewrite::Constant>(call.arguments[1].get());
    if (part == nullptr) return CanNot("a TIMESTAMP_TRUNC whose part is not known");
    return Text{StrCat("date_trunc(", PostgresQuoted(part->value.string_value()), ", ", time, ", 'UTC')"),
                Text::Kind::kOther};
  }
};

}  // namespace

const SqlDialect& PostgresSql() {
  static const auto& dialect = *new PostgresDialect;
  return dialect;
}

}  // namespace logquery::emit
