// Implements the dialect interface for PostgreSQL 13 and later, as far as powers.cc allows expressions to be sent.
#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/dialect/calls.h"
#include "lib/engines/postgres/dialect/json_paths.h"
#include "lib/engines/postgres/dialect/postgres_dialect.h"
#include "lib/engines/postgres/dialect/powers.h"
#include "lib/engines/postgres/dialect/spellings.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using base::StrCat;

absl::Status CanNot(std::string_view what) {
  return absl::UnimplementedError(StrCat("PostgreSQL is not asked for ", what));
}

// The i-th of n quantiles, of all values but NULLs. Where i / n times the number of values is whole, rounding may exceed
// it: the fraction is less by so little that nothing else changes below 10^14 / n values.
std::string Quantile(const rewrite::AggregateCall& call, const std::string& value) {
  const auto number = [&](size_t i) {
    return static_cast<double>(rewrite::As<rewrite::Constant>(*call.arguments[i]).value.int64_value());
  };
  constexpr double kLess = 1e-14;
  const double fraction = std::max(number(2) / number(1) - kLess, 0.0);
  return StrCat("percentile_disc(", absl::StrFormat("%.17g", fraction), "::float8) WITHIN GROUP (ORDER BY ", value,
                ")");
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
    if (spelling.empty()) return CanNot(call.overload->row->name);
    if (spelling == "@element") return args[0];
    std::vector<std::string> texts;
    for (const Text& arg : args) texts.push_back(arg.sql);
    const SpecialCall* const special = FindPostgresCall(spelling);
    return Text{special == nullptr ? FillTemplate(spelling, texts) : special->text(call, texts), Text::Kind::kOther};
  }

  StatusOr<Sql> Cast(const CastTexts& texts) const override {
    const Type& from = texts.cast->operand->type;
    const Type& to = texts.cast->type;
    const std::string& text = texts.operand.sql;
    if (to.is(TypeKind::kString)) return Sql(PostgresOrdered(to, StrCat(text, "::text")));
    if (to.is(TypeKind::kInt64)) return Cat("(", text, "::int4::int8)");
    if (to.is(TypeKind::kBool)) return Cat("(", text, " <> 0)");
    const std::string local = PostgresLocal(from, text);
    if (to.is(TypeKind::kDate)) return Cat("(", local, "::date)");
    return to.is(TypeKind::kDatetime) ? Sql(local) : Cat("(", local, " AT TIME ZONE 'UTC')");
  }
  StatusOr<Sql> Convert(const Type&, const Type&, const Text&) const override { return CanNot("arrays"); }
  StatusOr<Sql> Struct(const Type&, const Texts&) const override { return CanNot("STRUCT"); }
  Sql Array(const Type&, const Texts& elements) const override {
    return Cat("jsonb_build_array(", JoinTexts(elements, ", "), ")");
  }
  StatusOr<Sql> Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>&, const Sql&) const override {
    return CanNot("lambdas");
  }

  StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override {
    std::string_view spelling = PostgresSpellings().Of(*call.overload);
    if (spelling == "@quantile") return Sql(Quantile(call, texts.args[0].text()));
    if (spelling.empty() || texts.args.size() > 1) return CanNot(call.overload->row->name);
    if (!texts.over.empty()) return Cat(spelling, " ", texts.over);
    if (!texts.args.empty() && call.arguments[0]->type.is(TypeKind::kBool)) {
      // PostgreSQL has no MIN and MAX of boolean.
      if (spelling == "min($1)") spelling = "bool_and($1)";
      if (spelling == "max($1)") spelling = "bool_or($1)";
    }
    if (!call.distinct || texts.args.empty()) return FillTemplate(spelling, texts.args);
    const size_t arguments = spelling.find('(') + 1;
    return Cat(spelling.substr(0, arguments), "DISTINCT ", FillTemplate(spelling.substr(arguments), texts.args));
  }

  // NULL is no limit there.
  std::string NotNegative(const Type&, const std::string& number, std::string_view /*what*/) const override {
    return StrCat("COALESCE(", number, ", -1)");
  }
  std::string NanTest(const Type&, const std::string&) const override { return ""; }
  std::string Grouping(const std::string& key) const override { return StrCat("grouping(", key, ")"); }
  bool NumbersVariables() const override { return true; }
  std::string_view FromNothing() const override { return ""; }
  std::string_view Materialized(bool materialized) const override {
    return materialized ? "MATERIALIZED " : "NOT MATERIALIZED ";
  }
};

}  // namespace

const SqlDialect& PostgresSql() {
  static const auto& dialect = *new PostgresDialect;
  return dialect;
}

}  // namespace logquery::emit
