#include "lib/emit/duckdb_aggregate_texts.h"

#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {

using rewrite::AggregateCall;
using rewrite::FunctionKind;

namespace {

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

}  // namespace

std::string_view NameOfAggregate(const AggregateCall& call) { return call.overload->row->name; }

const Value* AggregateConstant(const AggregateCall& call, size_t index) {
  if (index >= call.arguments.size()) return nullptr;
  const auto* constant = rewrite::If<rewrite::Constant>(call.arguments[index].get());
  return constant == nullptr || constant->value.is_null() ? nullptr : &constant->value;
}

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

AggregateTexts WithoutNulls(const AggregateTexts& texts) {
  return Without(texts, StrCat(texts.args[0], " IS NOT NULL"));
}

Type ArgumentType(const AggregateCall& call) { return call.arguments[0]->type; }

}  // namespace logquery::emit
