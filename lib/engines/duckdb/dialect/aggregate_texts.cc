// Texts shared by several of DuckDB's aggregates.
#include "lib/engines/duckdb/dialect/aggregate_texts.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "absl/strings/ascii.h"
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {

using rewrite::AggregateCall;
using rewrite::FunctionKind;

namespace {

// `args` in braces with all that belongs to an aggregate call around them.
Sql Invocation(const AggregateCall& call, const AggregateTexts& texts, const Sql& args) {
  Sql text = "(";
  if (call.distinct) text.Append("DISTINCT ");
  text.Append(args);
  if (!texts.order_by.empty()) text.Append(Cat(" ", texts.order_by));
  if (call.overload->row->kind == FunctionKind::kWindow && call.ignore_nulls) text.Append(" IGNORE NULLS");
  text.Append(")");
  if (!texts.filter.empty()) {
    text.Append(Cat(" FILTER (WHERE ", texts.filter, ")"));
    text.facts().filters = true;
  }
  if (!texts.over.empty()) text.Append(Cat(" ", texts.over));
  return text;
}

// The word that ends right before `open`.
std::string_view NameBefore(std::string_view spelling, size_t open) {
  size_t begin = open;
  while (begin > 0 &&
         (absl::ascii_isalnum(static_cast<unsigned char>(spelling[begin - 1])) || spelling[begin - 1] == '_')) {
    --begin;
  }
  return spelling.substr(begin, open - begin);
}

// Returns whether DuckDB's aggregate ignores rows whose first argument is NULL.
bool SkipsNulls(std::string_view aggregate) {
  constexpr std::string_view kNames[] = {"any_value",  "avg",   "bit_and", "bit_or",  "bit_xor",    "bool_and",
                                         "bool_or",    "count", "max",     "min",     "stddev_pop", "stddev_samp",
                                         "string_agg", "sum",   "var_pop", "var_samp"};
  return std::find(std::begin(kNames), std::end(kNames), aggregate) != std::end(kNames);
}

// The arguments, NULL where the filter is not true; none where they can't be written so.
std::optional<std::string> NullUnless(const std::string& filter, std::string_view args) {
  if (args == "*") return StrCat("CASE WHEN ", filter, " THEN 1 END");
  if (args.find(',') == std::string_view::npos) return StrCat("CASE WHEN ", filter, " THEN ", args, " END");
  if (!args.starts_with("$1,")) return std::nullopt;
  return StrCat("CASE WHEN ", filter, " THEN $1 END", args.substr(2));
}

}  // namespace

std::string_view NameOfAggregate(const AggregateCall& call) { return call.overload->row->name; }

Sql Fill(const AggregateCall& call, const AggregateTexts& texts, std::string_view spelling) {
  Sql text;
  while (true) {
    const size_t open = spelling.find('{');
    if (open == std::string_view::npos) return Cat(text, FillTemplate(spelling, texts.args));
    const size_t close = spelling.find('}', open);
    text.Append(FillTemplate(spelling.substr(0, open), texts.args));
    const std::string_view inner = spelling.substr(open + 1, close - open - 1);
    std::optional<std::string> arguments;
    if (texts.one_of_many && !texts.filter.empty() && SkipsNulls(NameBefore(spelling, open))) {
      // The filter is no template: it goes in by a number of its own.
      arguments = NullUnless(StrCat("$", texts.args.size() + 1), inner);
    }
    if (arguments.has_value()) {
      AggregateTexts unfiltered = texts;
      unfiltered.args.push_back(std::move(unfiltered.filter));
      unfiltered.filter = Sql();
      text.Append(Invocation(call, unfiltered, FillTemplate(*arguments, unfiltered.args)));
    } else {
      text.Append(Invocation(call, texts, FillTemplate(inner, texts.args)));
    }
    spelling.remove_prefix(close + 1);
  }
}

AggregateTexts Without(AggregateTexts texts, const Sql& condition) {
  texts.filter = texts.filter.empty() ? condition : Cat("(", texts.filter, ") AND ", condition);
  return texts;
}

AggregateTexts WithoutNulls(const AggregateTexts& texts) { return Without(texts, Cat(texts.args[0], " IS NOT NULL")); }

Type ArgumentType(const AggregateCall& call) { return call.arguments[0]->type; }

bool HasInterval(const Type& type) {
  if (type.is_array()) return HasInterval(type.element());
  if (!type.is_struct()) return type.is(TypeKind::kInterval);
  return std::any_of(type.fields().begin(), type.fields().end(), [](const Field& f) { return HasInterval(f.type); });
}

}  // namespace logquery::emit
