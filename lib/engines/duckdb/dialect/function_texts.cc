// Shared helpers of the function code: names, quoting, operands that are evaluated once.
#include "lib/engines/duckdb/dialect/function_texts.h"

#include <algorithm>
#include <utility>

#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

Sql BalancedRange(const Texts& parts, size_t begin, size_t end, std::string_view op) {
  if (end - begin == 1) return parts[begin];
  const size_t middle = begin + (end - begin) / 2;
  return Cat("(", BalancedRange(parts, begin, middle, op), " ", op, " ", BalancedRange(parts, middle, end, op), ")");
}

}  // namespace

Sql FreshName(const Texts& texts) {
  int taken = 0;
  for (const Sql& text : texts) taken = std::max(taken, text.facts().variables);
  return Sql(StrCat("lq", taken + 1, "_"), {.simple = true, .variables = taken + 1});
}

Sql NameBeside(const Sql& name, std::string_view suffix) {
  return Sql(StrCat(name.text(), suffix), {.simple = true, .variables = name.facts().variables});
}

// In a correlated subquery DuckDB finds no column from inside a lambda's body, so columns are passed in together with
// expensive operands. They are passed as a tuple: DuckDB forgets the names of a struct's fields there.
Sql Once(const Texts& args, const Texts& others, absl::FunctionRef<Sql(const Texts&)> body) {
  if (std::all_of(args.begin(), args.end(), [](const Sql& arg) { return arg.facts().simple; })) return body(args);
  Texts texts = args;
  texts.insert(texts.end(), others.begin(), others.end());
  const Sql name = FreshName(texts);
  Texts names = args;
  Texts fields;
  size_t last = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].facts().simple && !args[i].facts().reads_column) continue;
    fields.push_back(args[i]);
    names[i] = NameBeside(name, StrCat("[", fields.size(), "]"));
    last = i;
  }
  Sql value = args[last];
  if (fields.size() == 1) {
    names[last] = name;
  } else {
    value = Cat("row(", JoinTexts(fields, ", "), ")");
  }
  Sql once = Cat("list_transform([", value, "], lambda ", name, ": ", body(names), ")[1]");
  once.facts().many_types = true;
  return once;
}

Sql Once(const Texts& args, absl::FunctionRef<Sql(const Texts&)> body) { return Once(args, {}, body); }

namespace {

// Each level of these makes the engine copy what is below it.
constexpr int kMaxCopyingCalls = 3;

int CountCopyingCalls(const rewrite::Scalar& scalar) {
  int count = 0;
  rewrite::VisitScalars(scalar, [&](const rewrite::Scalar& part) {
    const auto* const call = rewrite::If<rewrite::FunctionCall>(&part);
    if (call == nullptr) return;
    const std::string_view name = call->overload->row->name;
    if (name == "NULLIF" || name == "$between" || name == "$divide" || name == "DIV" || name == "MOD") ++count;
  });
  return count;
}

}  // namespace

Sql OnceIfLarge(const rewrite::FunctionCall& call, size_t copied, const Texts& args, std::string_view spelling) {
  const auto text = [&](const Texts& a) { return FillTemplate(spelling, a); };
  const rewrite::Scalar& argument = *call.arguments[copied];
  const bool is_small = rewrite::IsSmall(argument) && CountCopyingCalls(argument) <= kMaxCopyingCalls;
  return is_small ? text(args) : Once(args, text);
}

Sql CastText(const Sql& value, std::string_view type) {
  Sql cast = Cat("CAST(", value, " AS ", type, ")");
  cast.facts().simple = value.facts().simple;
  return cast;
}

Sql ListElement(const Sql& list, const Sql& place) {
  Sql element = Cat("list_extract(", list, ", ", place, ")");
  element.facts().many_types = true;
  return element;
}

Sql StructField(const Sql& value, std::string_view name) {
  Sql field = Cat("struct_extract(", value, ", ", Quote(name), ")");
  field.facts().many_types = true;
  return field;
}

Sql StructFieldAt(const Sql& value, size_t place) {
  Sql field = Cat("struct_extract_at(", value, ", ", place, ")");
  field.facts().many_types = true;
  return field;
}

Sql Quote(std::string_view value) {
  const bool has_nul = value.find('\0') != std::string_view::npos;
  std::string quoted = has_nul ? "('" : "'";
  for (char c : value) {
    if (c == '\'') quoted += '\'';
    // The engine takes a query's text to end at the first NUL.
    if (c == '\0') {
      quoted += "' || chr(0) || '";
    } else {
      quoted += c;
    }
  }
  return Sql::Simple(quoted + (has_nul ? "')" : "'"));
}

Sql Balanced(const Texts& parts, std::string_view op) {
  Sql all = BalancedRange(parts, 0, parts.size(), op);
  return op == "||" && parts.size() > 1 ? Concatenation(std::move(all)) : all;
}

Sql Concatenation(Sql text) {
  text.facts().many_types = true;
  return text;
}

Sql UnlessZero(const Texts& a, const Sql& quotient) {
  return Cat("(CASE WHEN ", a[1], " = 0 AND ", a[0], " IS NOT NULL THEN ",
             ErrorText(Cat("'division by zero: ' || ", a[0], " || ' / ' || ", a[1])), " ELSE ", quotient, " END)");
}

Sql ErrorText(const Sql& message) { return Cat("error(", message, ")"); }

std::optional<int64_t> ConstantInt64(const rewrite::FunctionCall& call, size_t index) {
  const Value* value = rewrite::ConstantArgument(call, index);
  if (value == nullptr || !value->type().is(TypeKind::kInt64)) return std::nullopt;
  return value->int64_value();
}

std::optional<std::string> ConstantString(const rewrite::FunctionCall& call, size_t index) {
  const Value* value = rewrite::ConstantArgument(call, index);
  if (value == nullptr || !value->type().is(TypeKind::kString)) return std::nullopt;
  return value->string_value();
}

std::string PartOf(const rewrite::FunctionCall& call, size_t index) { return ConstantString(call, index).value_or(""); }

bool IsNullConstant(const rewrite::FunctionCall& call, size_t index) {
  const auto* constant = rewrite::If<rewrite::Constant>(call.arguments[index].get());
  return constant != nullptr && constant->value.is_null();
}

std::string_view NameOf(const rewrite::FunctionCall& call) { return call.overload->row->name; }

std::string_view ShownName(const rewrite::FunctionCall& call) {
  const std::string_view name = NameOf(call);
  if (name == "$extract") return "EXTRACT";
  if (name == "$add") return "+";
  if (name == "$subtract") return "-";
  return name;
}

}  // namespace logquery::emit
