// Texts that the files of function code share: names, quoting, operands that are evaluated once.
#include "lib/emit/duckdb/function_texts.h"

#include <algorithm>
#include <set>

#include "absl/strings/numbers.h"

namespace logquery::emit {
namespace {

bool IsWordCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

// The offset after the quoted run that begins at `offset`; npos when it does not end.
size_t SkipQuoted(std::string_view text, size_t offset) {
  const char quote = text[offset];
  for (size_t i = offset + 1; i < text.size(); ++i) {
    if (text[i] != quote) continue;
    if (i + 1 < text.size() && text[i + 1] == quote) {
      ++i;
      continue;
    }
    return i + 1;
  }
  return std::string_view::npos;
}

bool IsNumber(std::string_view text) {
  double number = 0;
  return absl::SimpleAtod(base::ToAbsl(text), &number);
}

// The type behind ::, such as DECIMAL(38,9).
bool IsTypeName(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsWordCharacter(c) || c == '(' || c == ')' || c == ','; });
}

// The offset after a place in a tuple, such as [2]; npos when it is something else.
size_t SkipPlace(std::string_view text, size_t offset) {
  size_t end = offset + 1;
  while (end < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[end]))) ++end;
  return end > offset + 1 && end < text.size() && text[end] == ']' ? end + 1 : std::string_view::npos;
}

// A name, with dots, places or quotes in it, a parameter, a number or a string, and perhaps :: and a type.
bool IsPlain(std::string_view text) {
  if (IsNumber(text)) return true;
  for (size_t offset = 0; offset < text.size();) {
    if (text[offset] == '\'' || text[offset] == '"') {
      offset = SkipQuoted(text, offset);
      if (offset == std::string_view::npos) return false;
    } else if (text[offset] == '[' && offset > 0) {
      offset = SkipPlace(text, offset);
      if (offset == std::string_view::npos) return false;
    } else if (text.substr(offset, 2) == "::") {
      return offset > 0 && IsTypeName(text.substr(offset + 2));
    } else if (IsWordCharacter(text[offset])) {
      ++offset;
    } else {
      return false;
    }
  }
  return !text.empty();
}

// The number of the name lqN_ whose digits stand there; 0: there is no such name.
int NumberAt(std::string_view text, size_t at) {
  int number = 0;
  size_t end = at;
  while (end < text.size() && end < at + 6 && absl::ascii_isdigit(static_cast<unsigned char>(text[end]))) {
    number = number * 10 + (text[end++] - '0');
  }
  return end > at && end < text.size() && text[end] == '_' ? number : 0;
}

// A column, or a lambda's parameter, and no word that is a value.
bool IsName(std::string_view text) {
  const bool begins = absl::ascii_isalpha(static_cast<unsigned char>(text.front())) || text.front() == '"';
  return begins && text.find('.') != std::string_view::npos && text.find('\'') == std::string_view::npos;
}

std::string BalancedRange(const Texts& parts, size_t begin, size_t end, std::string_view op) {
  if (end - begin == 1) return parts[begin];
  const size_t middle = begin + (end - begin) / 2;
  return StrCat("(", BalancedRange(parts, begin, middle, op), " ", op, " ", BalancedRange(parts, middle, end, op), ")");
}

}  // namespace

bool IsSimpleText(std::string_view text) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.size() > 5 && text.substr(0, 5) == "CAST(" && text.back() == ')') {
    const size_t as = text.rfind(" AS ");
    return as != std::string_view::npos && IsPlain(text.substr(5, as - 5));
  }
  return IsPlain(text);
}

// One look at each text: of calls in one another each has all the names of those inside it.
std::string FreshName(const Texts& texts) {
  std::set<int> taken;
  for (const std::string& text : texts) {
    for (size_t at = text.find("lq"); at != std::string::npos; at = text.find("lq", at + 2)) {
      taken.insert(NumberAt(text, at + 2));
    }
  }
  int number = 1;
  while (taken.contains(number)) ++number;
  return StrCat("lq", number, "_");
}

// In a correlated subquery DuckDB finds no column from inside a lambda's body: columns go in beside what costs. They go in
// as a tuple: of a struct there it forgets the fields' names.
std::string Once(const Texts& args, const Texts& others, absl::FunctionRef<std::string(const Texts&)> body) {
  if (std::all_of(args.begin(), args.end(), [](const std::string& arg) { return IsSimpleText(arg); }))
    return body(args);
  Texts texts = args;
  texts.insert(texts.end(), others.begin(), others.end());
  const std::string name = FreshName(texts);
  Texts names = args;
  Texts fields;
  size_t last = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    if (IsSimpleText(args[i]) && !IsName(args[i])) continue;
    fields.push_back(args[i]);
    names[i] = StrCat(name, "[", fields.size(), "]");
    last = i;
  }
  std::string value = args[last];
  if (fields.size() == 1) {
    names[last] = name;
  } else {
    value = StrCat("row(", base::Join(fields, ", "), ")");
  }
  return StrCat("list_transform([", value, "], lambda ", name, ": ", body(names), ")[1]");
}

std::string Once(const Texts& args, absl::FunctionRef<std::string(const Texts&)> body) { return Once(args, {}, body); }

std::string Quote(std::string_view text) {
  const bool has_nul = text.find('\0') != std::string_view::npos;
  std::string quoted = has_nul ? "('" : "'";
  for (char c : text) {
    if (c == '\'') quoted += '\'';
    // The engine takes a query's text to end at the first NUL.
    if (c == '\0') {
      quoted += "' || chr(0) || '";
    } else {
      quoted += c;
    }
  }
  return quoted + (has_nul ? "')" : "'");
}

std::string Balanced(const Texts& parts, std::string_view op) { return BalancedRange(parts, 0, parts.size(), op); }

std::string UnlessZero(const Texts& a, std::string_view quotient) {
  return StrCat("(CASE WHEN ", a[1], " = 0 AND ", a[0], " IS NOT NULL THEN ",
                ErrorText(StrCat("'division by zero: ' || ", a[0], " || ' / ' || ", a[1])), " ELSE ", quotient,
                " END)");
}

std::string ErrorText(std::string_view message) { return StrCat("error(", message, ")"); }

const Value* ConstantOf(const rewrite::FunctionCall& call, size_t index) {
  if (index >= call.arguments.size()) return nullptr;
  const auto* constant = rewrite::If<rewrite::Constant>(call.arguments[index].get());
  return constant == nullptr || constant->value.is_null() ? nullptr : &constant->value;
}

std::optional<int64_t> ConstantInt64(const rewrite::FunctionCall& call, size_t index) {
  const Value* value = ConstantOf(call, index);
  if (value == nullptr || !value->type().is(TypeKind::kInt64)) return std::nullopt;
  return value->int64_value();
}

std::optional<std::string> ConstantString(const rewrite::FunctionCall& call, size_t index) {
  const Value* value = ConstantOf(call, index);
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
