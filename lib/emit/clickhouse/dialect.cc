// Implements the dialect interface for ClickHouse, as far as powers.cc allows expressions to be sent.
#include <utility>

#include "lib/base/strings.h"
#include "lib/emit/clickhouse/clickhouse_dialect.h"
#include "lib/emit/clickhouse/powers.h"
#include "lib/emit/clickhouse/spellings.h"
#include "lib/emit/clickhouse/texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using base::StrCat;

absl::Status CanNot(std::string_view what) {
  return absl::UnimplementedError(StrCat("ClickHouse is not asked for ", what));
}

// The operands from `begin` to `end`, in pairs of pairs: a chain of thousands would nest as deep as it is long.
std::string Balanced(const std::vector<std::string>& operands, size_t begin, size_t end, std::string_view op) {
  if (end - begin == 1) return operands[begin];
  const size_t middle = begin + (end - begin) / 2;
  return StrCat("(", Balanced(operands, begin, middle, op), op, Balanced(operands, middle, end, op), ")");
}

// `toStartOf…` counts in 32 bits: this is arithmetic on microseconds, of any year.
StatusOr<Text> Truncated(const rewrite::FunctionCall& call, const std::string& time) {
  const auto* const part = rewrite::If<rewrite::Constant>(call.arguments[1].get());
  if (part == nullptr) return CanNot("a TIMESTAMP_TRUNC whose part is not known");
  const std::string& name = part->value.string_value();
  const int64_t seconds = name == "SECOND" ? 1 : name == "MINUTE" ? 60 : name == "HOUR" ? 3'600 : 86'400;
  const std::string micros = StrCat("toUnixTimestamp64Micro(", time, ")");
  return Text{StrCat("fromUnixTimestamp64Micro(", micros, " - positiveModulo(", micros, ", toInt64(",
                     seconds * 1'000'000, ")), 'UTC')"),
              Text::Kind::kOther};
}

// IN with a NULL in its list, or a column, is not what it is here.
std::string In(const rewrite::FunctionCall& call, const std::vector<std::string>& texts) {
  bool all_constants = true;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const auto* const constant = rewrite::If<rewrite::Constant>(call.arguments[i].get());
    all_constants = all_constants && constant != nullptr && !constant->value.is_null();
  }
  const std::vector<std::string> list(texts.begin() + 1, texts.end());
  if (all_constants) return StrCat("(", texts[0], " IN (", base::Join(list, ", "), "))");
  std::vector<std::string> equalities;
  for (const std::string& text : list) equalities.push_back(StrCat("(", texts[0], " = ", text, ")"));
  return Balanced(equalities, 0, equalities.size(), " OR ");
}

StatusOr<std::string> Like(const rewrite::FunctionCall& call, const std::vector<std::string>& texts) {
  const auto* const pattern = rewrite::If<rewrite::Constant>(call.arguments[1].get());
  if (pattern == nullptr) return CanNot("a LIKE whose pattern is not known");
  if (pattern->value.is_null()) return StrCat("(", texts[0], " LIKE ", texts[1], ")");
  const std::optional<std::string> text = ClickHouseLikePattern(pattern->value.string_value());
  if (!text.has_value()) return CanNot("a LIKE whose pattern ends in a backslash");
  return StrCat("(", texts[0], " LIKE ", ClickHouseQuoted(*text), ")");
}

class ClickHouseDialect final : public SqlDialect {
 public:
  const Powers* powers() const override { return &ClickHousePowers(); }

  std::string Identifier(std::string_view name) const override { return ClickHouseIdentifier(name); }
  std::string TypeName(const Type& type) const override { return ClickHouseType(type); }
  StatusOr<std::string> Literal(const Value& value) const override { return ClickHouseLiteral(value); }
  std::string Parameter(int slot, std::string_view /*name*/, const Type& type) const override {
    return ClickHouseParameter(slot, type);
  }

  std::string TableName(const Table& table) const override { return table.storage_name; }
  StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column, std::string_view alias) const override {
    return Text{StrCat(alias, ".", Identifier(scan.storage[column])), Text::Kind::kPath};
  }

  StatusOr<Text> Field(const Text&, const Type&, int) const override { return CanNot("fields"); }
  StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const override {
    const std::string_view spelling = ClickHouseSpellings().Of(*call.overload);
    std::vector<std::string> texts;
    for (const Text& arg : args) texts.push_back(arg.sql);
    if (spelling == "@and") return Text{Balanced(texts, 0, texts.size(), " AND "), Text::Kind::kOther};
    if (spelling == "@or") return Text{Balanced(texts, 0, texts.size(), " OR "), Text::Kind::kOther};
    if (spelling == "@in") return Text{In(call, texts), Text::Kind::kOther};
    if (spelling == "@timestamp_trunc") return Truncated(call, texts[0]);
    if (spelling == "@like") {
      StatusOr<std::string> like = Like(call, texts);
      if (!like.ok()) return like.status();
      return Text{*std::move(like), Text::Kind::kOther};
    }
    if (spelling.empty()) return CanNot(call.overload->row->name);
    return Text{FillTemplate(spelling, texts), Text::Kind::kOther};
  }

  StatusOr<Sql> Cast(const CastTexts&) const override { return CanNot("casts"); }
  StatusOr<Sql> Convert(const Type&, const Type&, const Text&) const override { return CanNot("arrays"); }
  StatusOr<Sql> Struct(const Type&, const Texts&) const override { return CanNot("STRUCT"); }
  Sql Array(const Type&, const Texts& elements) const override { return Cat("[", JoinTexts(elements, ", "), "]"); }
  StatusOr<Sql> Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>&, const Sql&) const override {
    return CanNot("lambdas");
  }

  StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override {
    const std::string_view spelling = ClickHouseSpellings().Of(*call.overload);
    if (spelling.empty() || texts.args.size() > 1) return CanNot(call.overload->row->name);
    // Of COUNT alone it matters.
    const bool counts = std::string_view(call.overload->row->name) == "COUNT";
    if (call.distinct && counts && !texts.args.empty()) return Cat("toInt64(uniqExact(", texts.args[0], "))");
    return FillTemplate(spelling, texts.args);
  }

  std::string NanTest(const Type&, const std::string&) const override { return ""; }
  std::string Grouping(const std::string& key) const override { return StrCat("grouping(", key, ")"); }
  std::string_view FromNothing() const override { return ""; }
  std::string_view Materialized(bool /*materialized*/) const override { return ""; }
};

}  // namespace

const SqlDialect& ClickHouseSql() {
  static const auto& dialect = *new ClickHouseDialect;
  return dialect;
}

}  // namespace logquery::emit
