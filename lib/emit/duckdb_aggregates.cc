// Aggregates and window functions: from a row's spelling, in which braces mark DuckDB's own calls.
#include <algorithm>

#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::AggregateCall;
using rewrite::FunctionKind;

std::string_view NameOfAggregate(const AggregateCall& call) { return call.overload->row->name; }

const Value* AggregateConstant(const AggregateCall& call, size_t index) {
  if (index >= call.arguments.size()) return nullptr;
  const auto* constant = rewrite::If<rewrite::Constant>(call.arguments[index].get());
  return constant == nullptr || constant->value.is_null() ? nullptr : &constant->value;
}

// `args` in braces with all that belongs to an aggregate call around them.
std::string Invocation(const AggregateCall& call, const AggregateTexts& texts, std::string_view args) {
  std::string text = "(";
  if (call.distinct) text += "DISTINCT ";
  text += args;
  if (!texts.order_by.empty()) base::StrAppend(&text, " ", texts.order_by);
  if (call.overload->row->kind == FunctionKind::kWindow && call.ignore_nulls) text += " IGNORE NULLS";
  text += ")";
  if (!texts.filter.empty()) base::StrAppend(&text, " FILTER (WHERE ", texts.filter, ")");
  if (!texts.over.empty()) base::StrAppend(&text, " ", texts.over);
  return text;
}

// `spelling` with braces and arguments filled in: "CAST(sum{$1} AS BIGINT)".
std::string Fill(const AggregateCall& call, const AggregateTexts& texts, std::string_view spelling) {
  std::string text;
  while (true) {
    const size_t open = spelling.find('{');
    if (open == std::string_view::npos) return text + FillTemplate(spelling, texts.args);
    const size_t close = spelling.find('}', open);
    text += FillTemplate(spelling.substr(0, open), texts.args);
    text += Invocation(call, texts, FillTemplate(spelling.substr(open + 1, close - open - 1), texts.args));
    spelling.remove_prefix(close + 1);
  }
}

AggregateTexts Without(AggregateTexts texts, std::string_view condition) {
  texts.filter = texts.filter.empty() ? std::string(condition) : StrCat("(", texts.filter, ") AND ", condition);
  return texts;
}

AggregateTexts WithoutNulls(const AggregateTexts& texts) { return Without(texts, StrCat(texts.args[0], " IS NOT NULL")); }

// HAVING MAX y: among the rows whose y is greatest.
StatusOr<std::string> AnyValue(const AggregateCall& call, const AggregateTexts& texts) {
  if (texts.having.empty()) return Fill(call, texts, "any_value{$1}");
  AggregateTexts with_key = texts;
  with_key.args.push_back(texts.having);
  return Fill(call, with_key, call.having_max ? "arg_max_null{$1, $2}" : "arg_min_null{$1, $2}");
}

std::string FirstElements(const std::string& list, const std::string& limit) {
  return limit.empty() ? list : StrCat("list_slice(", list, ", 1, ", limit, ")");
}

StatusOr<std::string> ArrayAgg(const AggregateCall& call, const AggregateTexts& texts) {
  return FirstElements(Fill(call, call.ignore_nulls ? WithoutNulls(texts) : texts, "list{$1}"), texts.limit);
}

// NULL arrays add nothing.
StatusOr<std::string> ArrayConcatAgg(const AggregateCall& call, const AggregateTexts& texts) {
  return StrCat("flatten(", FirstElements(Fill(call, WithoutNulls(texts), "list{$1}"), texts.limit), ")");
}

StatusOr<std::string> StringAgg(const AggregateCall& call, const AggregateTexts& texts) {
  if (texts.limit.empty()) return Fill(call, texts, texts.args.size() > 1 ? "string_agg{$1, $2}" : "string_agg{$1, ','}");
  const std::string separator = texts.args.size() > 1 ? texts.args[1] : "','";
  const std::string list = FirstElements(Fill(call, WithoutNulls(texts), "list{$1}"), texts.limit);
  return StrCat("array_to_string(", list, ", ", separator, ")");
}

StatusOr<std::string> AvgNumeric(const AggregateCall& call, const AggregateTexts& texts) {
  return NumericQuotient(Fill(call, texts, "sum{$1}"), StrCat("CAST(", Fill(call, texts, "count{$1}"), " AS DECIMAL(38, 9))"));
}

// Element i is sorted[max(1, ceil(i * count / n))], counted from 1. DuckDB's quantile_disc takes sorted[ceil(q * count)]
// and reckons exactly when q is a decimal. Where i / n has no end its first 18 digits are as good: a whole i * count / n is
// missed by less than 1, and any other is further than that from the whole number below.
std::string QuantileFraction(int64_t i, int64_t n) {
  if (i == n) return "1.0";
  std::string digits;
  int64_t rest = i;
  for (int place = 0; place < 18 && rest != 0; ++place) {
    rest *= 10;
    digits += static_cast<char>('0' + rest / n);
    rest %= n;
  }
  return StrCat("0.", digits.empty() ? "0" : digits);
}

constexpr int64_t kMaxQuantiles = 10'000;

StatusOr<std::string> ApproxQuantiles(const AggregateCall& call, const AggregateTexts& texts) {
  const Value* number = AggregateConstant(call, 1);
  if (number == nullptr || number->int64_value() < 1 || number->int64_value() > kMaxQuantiles) {
    return absl::InvalidArgumentError(
        StrCat("APPROX_QUANTILES: the number of quantiles is a literal from 1 to ", kMaxQuantiles));
  }
  if (call.respect_nulls) return absl::UnimplementedError("APPROX_QUANTILES with RESPECT NULLS");
  Texts fractions;
  for (int64_t i = 0; i <= number->int64_value(); ++i) fractions.push_back(QuantileFraction(i, number->int64_value()));
  return Fill(call, texts, StrCat("quantile_disc{$1, [", base::Join(fractions, ", "), "]}"));
}

StatusOr<std::string> ApproxCountDistinct(const AggregateCall& call, const AggregateTexts& texts) {
  const std::string over = texts.over.empty() ? "" : StrCat(" ", texts.over);
  const std::string filter = texts.filter.empty() ? "" : StrCat(" FILTER (WHERE ", texts.filter, ")");
  (void)call;
  return StrCat("count(DISTINCT ", texts.args[0], ")", filter, over);
}

using AggregateFunction = StatusOr<std::string> (*)(const AggregateCall&, const AggregateTexts&);
struct AggregateEntry {
  std::string_view name;
  AggregateFunction function;
};

constexpr AggregateEntry kEntries[] = {
    {"any_value", AnyValue},
    {"array_agg", ArrayAgg},
    {"array_concat_agg", ArrayConcatAgg},
    {"string_agg", StringAgg},
    {"avg_numeric", AvgNumeric},
    {"approx_quantiles", ApproxQuantiles},
    {"approx_count_distinct", ApproxCountDistinct},
};

// What a spelling without code of its own can't carry.
absl::Status CheckPlain(const AggregateCall& call, const AggregateTexts& texts) {
  if (!texts.limit.empty()) {
    return absl::InvalidArgumentError(StrCat(NameOfAggregate(call), " does not take LIMIT"));
  }
  if (call.ignore_nulls && call.overload->row->kind == FunctionKind::kAggregate) {
    return absl::UnimplementedError(StrCat(NameOfAggregate(call), " with IGNORE NULLS"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> DuckDbAggregate(const AggregateCall& call, const AggregateTexts& texts) {
  const std::string_view spelling = call.overload->row->duckdb;
  if (spelling.empty()) return absl::UnimplementedError(SignatureText(*call.overload));
  if (!texts.having.empty() && spelling != "@any_value") {
    return absl::UnimplementedError(StrCat(NameOfAggregate(call), " with HAVING MAX or MIN"));
  }
  if (spelling[0] != '@') {
    if (absl::Status status = CheckPlain(call, texts); !status.ok()) return status;
    return Fill(call, texts, spelling);
  }
  const auto* entry = std::find_if(std::begin(kEntries), std::end(kEntries),
                                   [&](const AggregateEntry& e) { return e.name == spelling.substr(1); });
  if (entry == std::end(kEntries)) return absl::InternalError(StrCat("no code for ", spelling));
  return entry->function(call, texts);
}

}  // namespace logquery::emit
