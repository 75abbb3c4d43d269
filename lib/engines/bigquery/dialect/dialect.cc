// Writes SQL that BigQuery runs: GoogleSQL with legal parameter names and without our own functions. Anything that
// BigQuery does not document is an error that names it.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/back_quoted.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/engines/bigquery/dialect/bigquery_dialect.h"
#include "lib/engines/bigquery/dialect/fragments.h"
#include "lib/engines/bigquery/dialect/passes.h"
#include "lib/engines/bigquery/dialect/spellings.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using base::StrCat;

absl::Status NoSuchFunction(std::string_view name) {
  return absl::UnimplementedError(StrCat("BigQuery has no function ", name));
}

// Functions of the table that no query writes: operators, and what passes make. GoogleSQL spells all but what redacts.
bool IsOperator(std::string_view name) { return name[0] == '$' && name != "$redact"; }

struct Part {
  const char* name;
  int64_t micros;
};
constexpr Part kParts[] = {
    {"HOUR", 3'600'000'000}, {"MINUTE", 60'000'000}, {"SECOND", 1'000'000}, {"MILLISECOND", 1'000}, {"MICROSECOND", 1}};

// `INTERVAL 5 DAY`, which is what functions such as TIMESTAMP_ADD take; nullopt: it has several parts.
std::optional<std::string> OfOnePart(const Interval& interval) {
  const auto text = [](int64_t count, std::string_view part) { return StrCat("INTERVAL (", count, ") ", part); };
  if ((interval.months != 0) + (interval.days != 0) + (interval.micros != 0) > 1) return std::nullopt;
  if (interval.months != 0) return text(interval.months, "MONTH");
  if (interval.micros == 0) return text(interval.days, "DAY");
  for (const Part& part : kParts) {
    if (interval.micros % part.micros == 0) return text(interval.micros / part.micros, part.name);
  }
  return std::nullopt;
}

bool IsOfOnePart(const rewrite::Scalar& interval) {
  const auto* constant = rewrite::If<rewrite::Constant>(&interval);
  if (constant == nullptr) return rewrite::IsCallOf(interval, "$interval");
  return !constant->value.is_null() && OfOnePart(constant->value.interval_value()).has_value();
}

// An empty text is not what BigQuery takes for no options of the analyzer.
bool HasNoOptions(const rewrite::FunctionCall& search) {
  const auto* options = rewrite::If<rewrite::Constant>(search.arguments[2].get());
  return options != nullptr && !options->value.is_null() && options->value.string_value().empty();
}

}  // namespace

bool TakesIntervals(const rewrite::FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  const bool wants_part = name.ends_with("_ADD") || name.ends_with("_SUB") || name == "GENERATE_DATE_ARRAY" ||
                          name == "GENERATE_TIMESTAMP_ARRAY";
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    if (wants_part && argument->type.is(TypeKind::kInterval) && !IsOfOnePart(*argument)) return false;
  }
  return true;
}

std::vector<rewrite::Pass> BigQueryDialect::Passes() const { return BigQueryPasses(); }

std::string BigQueryDialect::Parameter(int /*slot*/, std::string_view name, const Type& /*type*/) const {
  return StrCat("@", name);
}

std::string BigQueryDialect::TableName(const Table& table) const { return base::BackQuoted(table.name); }

StatusOr<std::string> BigQueryDialect::Literal(const Value& value) const {
  if (value.type().is(TypeKind::kInterval) && !value.is_null()) {
    if (std::optional<std::string> text = OfOnePart(value.interval_value())) return *std::move(text);
  }
  return GoogleSqlDialect::Literal(value);
}

StatusOr<Text> BigQueryDialect::Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const {
  const std::string_view name = call.overload->row->name;
  if (!TakesIntervals(call)) {
    return absl::UnimplementedError(StrCat("BigQuery's ", name, " takes INTERVAL count part, not other intervals"));
  }
  if (name == "$redact") return absl::UnimplementedError("BigQuery can't redact what the endpoint has to redact");
  const std::string_view spelling = BigQuerySpellings().Of(*call.overload);
  if (spelling.empty() || (name == "SEARCH" && !HasNoOptions(call))) {
    if (!IsOperator(name) && !IsBigQueryFunction(name)) return NoSuchFunction(name);
    return GoogleSqlDialect::Call(call, args);
  }
  Texts texts;
  for (const Text& arg : args) texts.push_back(arg.ToSql());
  return Text{Cat(call.safe ? "SAFE." : "", FillTemplate(spelling, texts)), Text::Kind::kOther};
}

StatusOr<Sql> BigQueryDialect::Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const {
  const std::string_view name = call.overload->row->name;
  if (!IsOperator(name) && !IsBigQueryFunction(name)) return NoSuchFunction(name);
  if (call.safe)
    return absl::UnimplementedError(StrCat("BigQuery has no SAFE.", name, ", as it is no scalar function"));
  return GoogleSqlDialect::Aggregate(call, texts);
}

const SqlDialect& BigQuerySql() {
  static const auto& dialect = *new BigQueryDialect;
  return dialect;
}

}  // namespace logquery::emit
