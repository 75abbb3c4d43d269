// Implements the dialect interface for ClickHouse, as far as powers.cc allows expressions to be sent.
#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "lib/base/strings.h"
#include "lib/emit/case_equality.h"
#include "lib/engines/clickhouse/dialect/calls.h"
#include "lib/engines/clickhouse/dialect/clickhouse_dialect.h"
#include "lib/engines/clickhouse/dialect/powers.h"
#include "lib/engines/clickhouse/dialect/spellings.h"
#include "lib/engines/clickhouse/dialect/texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using base::StrCat;

absl::Status CanNot(std::string_view what) {
  return absl::UnimplementedError(StrCat("ClickHouse is not asked for ", what));
}

// The i-th of n quantiles, of all values but NULLs. Where i / n times the number of values is whole, rounding may exceed
// it: the fraction is less by so little that nothing else changes below 10^14 / n values.
std::string Quantile(const rewrite::AggregateCall& call, const std::string& value) {
  const auto number = [&](size_t i) {
    return static_cast<double>(rewrite::As<rewrite::Constant>(*call.arguments[i]).value.int64_value());
  };
  constexpr double kLess = 1e-14;
  const double fraction = std::max(number(2) / number(1) - kLess, 0.0);
  return StrCat("quantileExactWeightedOrNull(", absl::StrFormat("%.17g", fraction), ")(", value, ", 1)");
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
    if (spelling.empty()) return CanNot(call.overload->row->name);
    std::vector<std::string> texts;
    for (const Text& arg : args) texts.push_back(arg.sql);
    const SpecialCall* const special = FindClickHouseCall(spelling);
    return Text{special == nullptr ? FillTemplate(spelling, texts) : special->text(call, texts), Text::Kind::kOther};
  }

  StatusOr<Sql> Cast(const CastTexts& texts) const override {
    const Type& from = texts.cast->operand->type;
    const Type& to = texts.cast->type;
    const std::string& text = texts.operand.sql;
    switch (to.kind()) {
      case TypeKind::kString:
        // A condition is a number there, unless it is made a Bool.
        return from.is(TypeKind::kBool) ? Cat("toString(CAST(", text, " AS Nullable(Bool)))")
                                        : Cat("toString(", text, ")");
      case TypeKind::kInt64:
        return Cat("toInt64(", text, ")");
      case TypeKind::kFloat64:
        return Cat("toFloat64(", text, ")");
      case TypeKind::kBool:
        return Cat("(", text, " != 0)");
      case TypeKind::kDate:
        return Sql(from.is(TypeKind::kDate) ? text : ClickHouseDate(text));
      default:
        if (!from.is(TypeKind::kDate)) return Sql(text);
        return Cat("fromUnixTimestamp64Micro(toInt64(", text, ") * toInt64(86400000000), 'UTC')");
    }
  }
  StatusOr<Sql> Convert(const Type&, const Type&, const Text&) const override { return CanNot("arrays"); }
  StatusOr<Sql> Struct(const Type&, const Texts&) const override { return CanNot("STRUCT"); }
  Sql Array(const Type&, const Texts& elements) const override { return Cat("[", JoinTexts(elements, ", "), "]"); }
  StatusOr<Sql> Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>&, const Sql&) const override {
    return CanNot("lambdas");
  }

  StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override {
    const std::string_view spelling = ClickHouseSpellings().Of(*call.overload);
    if (spelling == "@quantile") return Sql(Quantile(call, texts.args[0].text()));
    if (spelling.empty() || texts.args.size() > 1) return CanNot(call.overload->row->name);
    if (!texts.over.empty()) return Cat("toInt64(", spelling, " ", texts.over, ")");
    // DISTINCT makes a difference only to COUNT and sums.
    const std::string_view name = call.overload->row->name;
    if (call.distinct && name == "COUNT" && !texts.args.empty()) return Cat("toInt64(uniqExact(", texts.args[0], "))");
    if (call.distinct && name == "$exact_sum")
      return Cat("toString(sumOrNull(DISTINCT toInt128(", texts.args[0], ")))");
    return FillTemplate(spelling, texts.args);
  }

  std::string NanTest(const Type&, const std::string&) const override { return ""; }
  // NULL and negative numbers are refused.
  std::string NotNegative(const Type&, const std::string& number, std::string_view /*what*/) const override {
    return StrCat("accurateCast(", number, ", 'UInt64')");
  }
  std::string Grouping(const std::string& key) const override { return StrCat("grouping(", key, ")"); }
  std::string_view FromNothing() const override { return ""; }
  std::string_view Materialized(bool /*materialized*/) const override { return ""; }
  // ClickHouse's CASE with an operand takes NULL for equal to NULL.
  std::vector<rewrite::Pass> Passes() const override {
    return {{"compare_cases",
             [](const rewrite::PassContext& /*context*/, rewrite::QueryPlan& query) {
               return CompareCases(query, [](const Type& /*operand*/) { return true; });
             },
             /*always=*/true}};
  }
};

}  // namespace

const SqlDialect& ClickHouseSql() {
  static const auto& dialect = *new ClickHouseDialect;
  return dialect;
}

}  // namespace logquery::emit
