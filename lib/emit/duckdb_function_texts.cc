#include "lib/emit/duckdb_function_texts.h"

#include <algorithm>

namespace logquery::emit {
namespace {

bool IsWordCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == ':';
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

bool Mentions(const Texts& texts, std::string_view name) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(name) != std::string::npos; });
}

// A lambda parameter's name that none of the texts has.
std::string FreshName(const Texts& texts) {
  for (int i = 1;; ++i) {
    std::string name = StrCat("lq", i, "_");
    if (!Mentions(texts, name)) return name;
  }
}

std::string BalancedRange(const Texts& parts, size_t begin, size_t end, std::string_view op) {
  if (end - begin == 1) return parts[begin];
  const size_t middle = begin + (end - begin) / 2;
  return StrCat("(", BalancedRange(parts, begin, middle, op), " ", op, " ", BalancedRange(parts, middle, end, op), ")");
}

}  // namespace

bool IsSimpleText(std::string_view text) {
  // A literal of a type: CAST('…' AS BIGINT), TIMESTAMP '…', (-5).
  if (text.size() > 5 && text.substr(0, 5) == "CAST(" && text.back() == ')') {
    const size_t as = text.rfind(" AS ");
    return as != std::string_view::npos && IsSimpleText(text.substr(5, as - 5));
  }
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.size() > 1 && text[0] == '-') text.remove_prefix(1);
  if (const size_t quote = text.find(" '"); quote != std::string_view::npos && text.front() != '\'') {
    return IsSimpleText(text.substr(0, quote)) && IsSimpleText(text.substr(quote + 1));
  }
  size_t offset = 0;
  while (offset < text.size()) {
    if (text[offset] == '\'' || text[offset] == '"') {
      offset = SkipQuoted(text, offset);
      if (offset == std::string_view::npos) return false;
    } else if (IsWordCharacter(text[offset])) {
      ++offset;
    } else {
      return false;
    }
  }
  return !text.empty();
}

std::string Once(const Texts& args, absl::FunctionRef<std::string(const Texts&)> body) {
  const std::string name = FreshName(args);
  Texts names = args;
  Texts fields;
  size_t last = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    if (IsSimpleText(args[i])) continue;
    names[i] = StrCat(name, ".a", i);
    fields.push_back(StrCat("a", i, " := ", args[i]));
    last = i;
  }
  if (fields.empty()) return body(args);
  std::string value = args[last];
  if (fields.size() == 1) {
    names[last] = name;
  } else {
    value = StrCat("struct_pack(", base::Join(fields, ", "), ")");
  }
  return StrCat("list_transform([", value, "], lambda ", name, ": ", body(names), ")[1]");
}

std::string Quote(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

std::string Balanced(const Texts& parts, std::string_view op) { return BalancedRange(parts, 0, parts.size(), op); }

std::string ErrorText(std::string_view message) { return StrCat("error(", message, ")"); }

// DuckDB divides decimals as DOUBLE, so this goes through the integers that they are stored as. An overflow of its 128
// bits is an error.
std::string NumericQuotient(const std::string& x, const std::string& y) {
  const auto unscaled = [](const std::string& n) {
    return StrCat("CAST(replace(CAST(", n, " AS VARCHAR), '.', '') AS HUGEINT)");
  };
  return Once({x, y}, [&](const Texts& a) {
    const Texts parts = {StrCat("abs(", unscaled(a[0]), ") * 1000000000"), StrCat("abs(", unscaled(a[1]), ")")};
    return Once(parts, [&](const Texts& p) {
      return StrCat("CAST(CAST((", p[0], " // ", p[1], " + CASE WHEN 2 * (", p[0], " % ", p[1], ") >= ", p[1],
                    " THEN 1 ELSE 0 END) * CASE WHEN (", a[0], " < 0) = (", a[1],
                    " < 0) THEN 1 ELSE -1 END AS DECIMAL(38, 0)) * 0.000000001 AS DECIMAL(38, 9))");
    });
  });
}

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

std::string PartOf(const rewrite::FunctionCall& call, size_t index) {
  return ConstantString(call, index).value_or("");
}

std::string_view NameOf(const rewrite::FunctionCall& call) { return call.overload->row->name; }

}  // namespace logquery::emit
