// Implements the dialect interface for DuckDB 1.5.
#include "lib/emit/dialect.h"

#include <optional>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/dialects.h"
#include "lib/engines/duckdb/dialect/casts.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/lists.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/ranges.h"
#include "lib/engines/duckdb/dialect/records.h"
#include "lib/engines/duckdb/dialect/safe.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// Returns whether DuckDB has one function for several types. If it knows an operand to be NULL while it plans, such a
// function returns a NULL without a type.
bool HasManyTypes(const Type& type, const SqlFacts& facts) {
  switch (type.kind()) {
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kArray:
    case TypeKind::kStruct:
    case TypeKind::kBytes:
      return true;
    default:
      return facts.many_types;
  }
}

bool MayLoseItsType(const rewrite::Scalar& scalar, const SqlFacts& facts) {
  switch (scalar.kind) {
    case rewrite::ScalarKind::kField:
      return true;
    case rewrite::ScalarKind::kCall:
      return HasManyTypes(scalar.type, facts);
    case rewrite::ScalarKind::kCast:
      return rewrite::As<rewrite::Cast>(scalar).operand->kind != rewrite::ScalarKind::kConstant &&
             HasManyTypes(scalar.type, facts);
    case rewrite::ScalarKind::kConstant:
    case rewrite::ScalarKind::kColumn:
    case rewrite::ScalarKind::kParameter:
    case rewrite::ScalarKind::kCase:
    case rewrite::ScalarKind::kStruct:
    case rewrite::ScalarKind::kArray:
    case rewrite::ScalarKind::kSubquery:
    case rewrite::ScalarKind::kLambda:
      return false;
  }
  return false;
}

// Returns whether a template names some argument more than once.
bool NamesTwice(std::string_view spelling) {
  for (char digit = '1'; digit <= '9'; ++digit) {
    const std::string name = {'$', digit};
    const size_t first = spelling.find(name);
    if (first != std::string_view::npos && spelling.find(name, first + 1) != std::string_view::npos) return true;
  }
  return false;
}

// The argument that a template hands to NULLIF, which DuckDB copies while it plans.
std::optional<size_t> CopiedArgument(std::string_view spelling) {
  constexpr std::string_view kNullIf = "NULLIF($";
  const size_t found = spelling.find(kNullIf);
  if (found == std::string_view::npos) return std::nullopt;
  return static_cast<size_t>(spelling[found + kNullIf.size()] - '1');
}

// SAFE. forms of what overflows INT64 in DuckDB's own function.
std::string_view SafeSpelling(const rewrite::FunctionRow& row) {
  const std::string_view signature = row.signature;
  if (row.name == "ABS" && signature.starts_with("(INT64)")) return "TRY_CAST(abs(CAST($1 AS HUGEINT)) AS BIGINT)";
  if (row.name == "DIV" && signature.starts_with("(INT64")) {
    return "TRY_CAST(CAST($1 AS HUGEINT) // NULLIF($2, 0) AS BIGINT)";
  }
  return "";
}

StatusOr<Sql> Spelled(const FunctionCall& call, const Texts& args) {
  const rewrite::FunctionRow& row = *call.overload->row;
  const std::string_view spelling = DuckDbSpellings().Of(*call.overload);
  if (spelling.empty()) return absl::UnimplementedError(StrCat(row.name, " is not supported"));
  if (spelling[0] == '@') {
    const DuckDbFunction function = FindDuckDbFunction(spelling.substr(1));
    if (function == nullptr) return absl::UnimplementedError(StrCat(row.name, " is not supported"));
    return function(call, args);
  }
  if (const std::optional<size_t> copied = CopiedArgument(spelling)) return OnceIfLarge(call, *copied, args, spelling);
  if (!NamesTwice(spelling)) return FillTemplate(spelling, args);
  return Once(args, [&](const Texts& a) { return FillTemplate(spelling, a); });
}

class DuckDbDialect final : public SqlDialect {
 public:
  std::vector<rewrite::Pass> Passes() const override { return DuckDbPasses(); }

  std::string Identifier(std::string_view name) const override { return DuckDbIdentifier(name); }
  std::string TypeName(const Type& type) const override { return DuckDbType(type); }
  StatusOr<std::string> Literal(const Value& value) const override { return DuckDbLiteral(value); }

  // The variable has its type, so that DuckDB need not guess it.
  std::string Parameter(int slot, std::string_view /*name*/, const Type& type) const override {
    return StrCat("$", slot, "::", DuckDbType(type));
  }

  std::string TableName(const Table& table) const override {
    return DuckDbIdentifier(table.storage_name.empty() ? table.name : table.storage_name);
  }
  StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column, std::string_view alias) const override {
    return DuckDbColumn(*scan.table, scan.storage[column], alias);
  }

  // Writes one dotted path from the table's column down, of which DuckDB reads only the named field.
  StatusOr<Text> Field(const Text& base, const Type& type, int index) const override {
    if (const DuckDbRecord* const record = DuckDbRecordOf(base)) return DuckDbRecordField(*record, type, index);
    const std::string name = DuckDbFieldName(type, index);
    if (base.kind == Text::Kind::kPath) return Text{StrCat(base.sql, ".", DuckDbIdentifier(name)), Text::Kind::kPath};
    return Text{StructField(base.ToSql(), name), Text::Kind::kOther};
  }

  StatusOr<Text> Call(const FunctionCall& call, const std::vector<Text>& args) const override {
    const std::string_view name = call.overload->row->name;
    if (name == "$element") return args[0];
    const DuckDbRecord* const record = name == "$present" ? DuckDbRecordOf(args[0]) : nullptr;
    if (record != nullptr) return Text{record->presence, Text::Kind::kCheap};
    Texts texts;
    texts.reserve(args.size());
    for (const Text& arg : args) texts.push_back(arg.ToSql());
    if (!call.safe || (call.overload->row->flags & rewrite::kTotal) != 0) {
      LOGQUERY_ASSIGN_OR_RETURN(Sql text, Spelled(call, texts));
      const bool cheap = name == "$present" && args[0].kind == Text::Kind::kPath;
      return Text{text, cheap ? Text::Kind::kCheap : Text::Kind::kOther};
    }
    if (const std::string_view spelling = SafeSpelling(*call.overload->row); !spelling.empty()) {
      return Text{OnceIfLarge(call, CopiedArgument(spelling).value_or(0), texts, spelling), Text::Kind::kOther};
    }
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (argument->kind == rewrite::ScalarKind::kLambda)
        return absl::UnimplementedError(StrCat("SAFE.", name, " with a lambda is not supported"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(Sql text, DuckDbSafe(name, texts, [&](const Texts& a) { return Spelled(call, a); }));
    return Text{text, Text::Kind::kOther};
  }

  Text KeepType(const rewrite::Scalar& scalar, Text text) const override {
    if (!MayLoseItsType(scalar, text.facts)) return text;
    return Text{CastText(text.ToSql(), DuckDbType(scalar.type)), Text::Kind::kOther};
  }

  StatusOr<Sql> Cast(const CastTexts& texts) const override { return DuckDbCast(texts); }
  StatusOr<Sql> Convert(const Type& from, const Type& to, const Text& value) const override {
    return DuckDbConvert(from, to, value.ToSql());
  }
  StatusOr<Sql> Struct(const Type& type, const Texts& fields) const override { return DuckDbStruct(type, fields); }
  Sql Array(const Type& type, const Texts& elements) const override { return DuckDbArray(type, elements); }

  // A second parameter is GoogleSQL's offset, where DuckDB's counts from 1.
  StatusOr<Sql> Lambda(const rewrite::LambdaScalar& lambda, const std::vector<std::string>& parameters,
                       const Sql& body) const override {
    bool has_subquery = false;
    rewrite::VisitScalars(*lambda.body, [&](const rewrite::Scalar& scalar) {
      has_subquery = has_subquery || scalar.kind == rewrite::ScalarKind::kSubquery;
    });
    if (has_subquery) return absl::UnimplementedError("a subquery in a lambda is not supported");
    if (parameters.size() < 2) return Cat("lambda ", base::Join(parameters, ", "), ": ", body);
    const Sql index = FreshName({body});
    return Cat("lambda ", parameters[0], ", ", index, ": list_transform([", index, " - 1], lambda ", parameters[1],
               ": ", body, ")[1]");
  }

  StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override {
    LOGQUERY_ASSIGN_OR_RETURN(Sql text, DuckDbAggregate(call, texts));
    // DuckDB counts the rows of a frame that ends before it begins as fewer than none.
    const bool counts_rows = call.arguments.empty() && std::string_view(call.overload->row->name) == "COUNT";
    return counts_rows && texts.has_frame ? Cat("greatest(", text, ", 0)") : text;
  }
  // NaN is the greatest number in DuckDB, and the least in GoogleSQL.
  std::string NanTest(const Type& type, const std::string& value) const override {
    return type.is(TypeKind::kFloat64) ? StrCat("isnan(", value, ")") : "";
  }
  std::string NotNegative(const Type& type, const std::string& number, std::string_view what) const override {
    return DuckDbNotNegative(type, number, what);
  }
  // A larger count that is no literal is refused.
  std::string RowCount(const std::string& number) const override {
    return StrCat("least(", SqlDialect::RowCount(number), ", ", int64_t{1} << 62, ")");
  }
  void AdaptRange(const Type& type, RangeTexts& range) const override { DuckDbRange(type, range); }
  std::string Grouping(const std::string& key) const override { return StrCat("grouping(", key, ")"); }

  const ListDialect* lists() const override { return &DuckDbLists(); }
  bool NumbersVariables() const override { return true; }
  std::string_view FromNothing() const override { return ""; }
  std::string_view RowPlace() const override { return "rowid"; }
  std::string_view OneRow() const override { return "(VALUES (1))"; }
  bool HasSemiJoins() const override { return true; }
  std::string_view Materialized(bool materialized) const override {
    return materialized ? "MATERIALIZED " : "NOT MATERIALIZED ";
  }
};

}  // namespace

const SqlDialect& DuckDbSql() {
  static const DuckDbDialect& dialect = *new DuckDbDialect;
  return dialect;
}

}  // namespace logquery::emit
