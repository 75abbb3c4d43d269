// A whole dialect in one file: how an engine with few powers is added.
#include "tests/split/invented_dialect.h"

#include "lib/base/strings.h"
#include "lib/emit/explain/googlesql_literals.h"
#include "lib/emit/spellings.h"

namespace logquery::testing {
namespace {

using absl::StatusOr;
using base::StrCat;
using emit::Text;
using rewrite::If;

constexpr emit::Spelling kSpellings[] = {
    {"$equal", "EQ($1, $2)"},         {"$not_equal", "NE($1, $2)"},        {"$less", "LT($1, $2)"},
    {"$less_or_equal", "LE($1, $2)"}, {"$greater", "GT($1, $2)"},          {"$and", "ALL_OF($*)"},
    {"$is_null", "IS_NULL($1)"},      {"$greater_or_equal", "GE($1, $2)"}, {"COUNT()", "COUNT(*)"},
    {"COUNT(T1)", "COUNT($1)"},
};

const emit::Spellings& Spelled() {
  static const auto& spellings = *new emit::Spellings({kSpellings});
  return spellings;
}

bool Compares(const Type& type) {
  return type.is(TypeKind::kBool) || type.is(TypeKind::kInt64) || type.is(TypeKind::kString) ||
         type.is(TypeKind::kTimestamp);
}

absl::Status CanNot(std::string_view what) { return absl::UnimplementedError(StrCat("it has no ", what)); }

class InventedPowers final : public emit::Powers {
 public:
  std::optional<std::string> WhyNot(const rewrite::Plan& node) const override {
    switch (node.kind) {
      case rewrite::PlanKind::kProject:
        if (rewrite::As<rewrite::Project>(node).computed.empty()) return std::nullopt;
        return "it selects columns alone";
      case rewrite::PlanKind::kLimit:
        return rewrite::As<rewrite::Limit>(node).offset == nullptr ? std::nullopt
                                                                   : std::optional<std::string>("it has no OFFSET");
      case rewrite::PlanKind::kAggregate: {
        const auto& aggregate = rewrite::As<rewrite::Aggregate>(node);
        if (aggregate.keys.empty() && aggregate.grouping_sets.empty()) return std::nullopt;
        return "it has no GROUP BY";
      }
      case rewrite::PlanKind::kSort:
        return "it has no ORDER BY";
      case rewrite::PlanKind::kJoin:
        return "it has no joins";
      case rewrite::PlanKind::kUnnest:
        return "it has no UNNEST";
      case rewrite::PlanKind::kWindow:
        return "it has no windows";
      default:
        return "it reads one table at a time";
    }
  }

  std::optional<std::string> WhyNot(const rewrite::Scalar& scalar) const override {
    switch (scalar.kind) {
      case rewrite::ScalarKind::kColumn:
        return std::nullopt;
      case rewrite::ScalarKind::kConstant:
      case rewrite::ScalarKind::kParameter:
        if (Compares(scalar.type) && !scalar.type.is(TypeKind::kTimestamp)) return std::nullopt;
        if (scalar.kind == rewrite::ScalarKind::kParameter && Compares(scalar.type)) return std::nullopt;
        return StrCat("it has no ", scalar.type.ToString());
      case rewrite::ScalarKind::kCall: {
        const auto& call = rewrite::As<rewrite::FunctionCall>(scalar);
        if (Spelled().Of(*call.overload).empty() || call.safe) return "it does not have that";
        for (const rewrite::ScalarPtr& argument : call.arguments) {
          if (!Compares(argument->type)) return StrCat("it does not compare ", argument->type.ToString());
        }
        return std::nullopt;
      }
      default:
        return "it does not have that";
    }
  }

  std::optional<std::string> WhyNot(const rewrite::AggregateCall& call) const override {
    const bool plain = !call.distinct && call.having == nullptr && call.order_by.empty() && call.limit == nullptr &&
                       call.filter == nullptr;
    if (!plain || Spelled().Of(*call.overload).empty()) return "it counts rows and values alone";
    return std::nullopt;
  }

  bool Carries(const Type&) const override { return true; }
};

class InventedDialect final : public emit::SqlDialect {
 public:
  const emit::Powers* powers() const override { return &powers_; }

  std::string Identifier(std::string_view name) const override { return StrCat("`", name, "`"); }
  std::string TypeName(const Type& type) const override { return type.ToString(); }
  StatusOr<std::string> Literal(const Value& value) const override { return emit::GoogleSqlLiteral(value); }
  std::string Parameter(int slot, std::string_view, const Type&) const override { return StrCat("@p", slot); }
  std::string TableName(const Table& table) const override { return Identifier(table.name); }
  StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column, std::string_view alias) const override {
    return Text{StrCat(alias, ".", Identifier(scan.storage[column])), Text::Kind::kPath};
  }
  StatusOr<Text> Field(const Text&, const Type&, int) const override { return CanNot("fields"); }
  StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const override {
    std::vector<std::string> texts;
    for (const Text& arg : args) texts.push_back(arg.sql);
    return Text{emit::FillTemplate(Spelled().Of(*call.overload), texts), Text::Kind::kOther};
  }
  StatusOr<emit::Sql> Cast(const emit::CastTexts&) const override { return CanNot("casts"); }
  StatusOr<emit::Sql> Convert(const Type&, const Type&, const Text& value) const override { return value.ToSql(); }
  StatusOr<emit::Sql> Struct(const Type&, const emit::Texts&) const override { return CanNot("STRUCT"); }
  emit::Sql Array(const Type& type, const emit::Texts&) const override { return emit::Sql(type.ToString()); }
  StatusOr<emit::Sql> Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>&,
                             const emit::Sql&) const override {
    return CanNot("lambdas");
  }
  StatusOr<emit::Sql> Aggregate(const rewrite::AggregateCall& call, const emit::AggregateTexts& texts) const override {
    return emit::FillTemplate(Spelled().Of(*call.overload), texts.args);
  }
  std::string NanTest(const Type&, const std::string&) const override { return ""; }
  std::string Grouping(const std::string& key) const override { return key; }
  std::string_view FromNothing() const override { return ""; }
  std::string_view Materialized(bool) const override { return ""; }

 private:
  InventedPowers powers_;
};

}  // namespace

const emit::SqlDialect& InventedSql() {
  static const auto& dialect = *new InventedDialect;
  return dialect;
}

}  // namespace logquery::testing
