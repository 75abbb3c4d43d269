// Names the types that were given, and what their mistake usually stands for.
#include "lib/rewrite/resolve/no_overload.h"

#include <algorithm>
#include <map>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/rewrite/resolve/coercion.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

std::string OperatorText(std::string_view function) {
  static const auto* texts =
      new std::map<std::string, std::string, std::less<>>{{"$add", "+"},
                                                          {"$subtract", "-"},
                                                          {"$multiply", "*"},
                                                          {"$divide", "/"},
                                                          {"$equal", "="},
                                                          {"$not_equal", "!="},
                                                          {"$less", "<"},
                                                          {"$less_or_equal", "<="},
                                                          {"$greater", ">"},
                                                          {"$greater_or_equal", ">="},
                                                          {"$concat", "||"},
                                                          {"$and", "AND"},
                                                          {"$or", "OR"},
                                                          {"$not", "NOT"},
                                                          {"$negate", "-"},
                                                          {"$between", "BETWEEN"},
                                                          {"$in", "IN"},
                                                          {"$in_array", "IN UNNEST"},
                                                          {"$like", "LIKE"},
                                                          {"$ilike", "ILIKE"},
                                                          {"$like_any", "LIKE ANY"},
                                                          {"$like_all", "LIKE ALL"},
                                                          {"$bit_and", "&"},
                                                          {"$bit_or", "|"},
                                                          {"$bit_xor", "^"},
                                                          {"$bit_not", "~"},
                                                          {"$shift_left", "<<"},
                                                          {"$shift_right", ">>"},
                                                          {"$is_distinct", "IS DISTINCT FROM"},
                                                          {"$is_not_distinct", "IS NOT DISTINCT FROM"},
                                                          {"$extract", "EXTRACT"},
                                                          {"$interval", "INTERVAL"},
                                                          {"$at_offset", "[OFFSET()]"},
                                                          {"$at_ordinal", "[ORDINAL()]"},
                                                          {"$safe_at_offset", "[SAFE_OFFSET()]"},
                                                          {"$safe_at_ordinal", "[SAFE_ORDINAL()]"},
                                                          {"$is_true", "IS TRUE"},
                                                          {"$is_false", "IS FALSE"}};
  auto found = texts->find(function);
  return found == texts->end() ? std::string() : found->second;
}

std::string TypesText(const std::vector<ScalarPtr>& arguments) {
  std::string text;
  for (const ScalarPtr& argument : arguments) {
    if (!text.empty()) text += ", ";
    std::string type = argument->type.ToString();
    text += IsUntypedNull(*argument) ? "NULL" : type.size() > 60 ? type.substr(0, 57) + "…" : type;
  }
  return text;
}

// Returns what the query has there; `other`: that is too long for a message.
std::string Written(const Scalar& scalar, std::string_view text, std::string_view other) {
  constexpr size_t kLongest = 40;
  const size_t begin = scalar.span.begin, end = scalar.span.end;
  const bool is_short = begin < end && end <= text.size() && end - begin <= kLongest;
  return std::string(is_short ? text.substr(begin, end - begin) : other);
}

// Suggests what to write for an array that is compared as its elements are: tags = 'a'.
std::string ArrayHint(std::string_view op, const std::vector<ScalarPtr>& arguments, std::string_view text) {
  if (arguments.size() < 2 || arguments[0]->type.is_array() == arguments[1]->type.is_array()) return "";
  const size_t at = arguments[0]->type.is_array() ? 0 : 1;
  const Scalar& array = *arguments[at];
  const Scalar& value = *arguments[1 - at];
  const std::string name = Written(array, text, "array");
  const bool is_equality = op == "=" || op == "!=" || (op == "IN" && arguments.size() == 2);
  const bool compares = is_equality || op == "IN" || op == "LIKE" || op == "ILIKE";
  if (array.type.element().is_struct()) {
    // level = ERROR, where a record has the name of the word.
    const bool may_be_text = compares && value.type.is(TypeKind::kString) && value.kind != ScalarKind::kConstant;
    const std::string hint = may_be_text ? QuotesHint(name) : "";
    return hint.empty() ? "; name a field of the record" : hint;
  }
  if (!compares || !CoercionCost(value, array.type.element())) return "";
  const std::string one = Written(value, text, "value");
  if (is_equality) {
    return StrCat("; write ", one, op == "!=" ? " NOT" : "", " IN UNNEST(", name, ") to compare with each element");
  }
  const std::string list = op == "IN" ? StrCat("(", one, ", …)") : one;
  return StrCat("; write EXISTS (SELECT 1 FROM UNNEST(", name, ") AS x WHERE x ", op, " ", list, ")");
}

// Suggests what to write instead, for operands whose types point to a common mistake.
std::string OperandsHint(std::string_view op, const std::vector<ScalarPtr>& arguments, std::string_view text) {
  static const absl::flat_hash_set<std::string_view> comparisons = {"=", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"};
  const auto any = [&](auto test) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const ScalarPtr& a) { return test(a->type); });
  };
  const bool has_time = any([](const Type& type) {
    return type.is(TypeKind::kTimestamp) || type.is(TypeKind::kDatetime) || type.is(TypeKind::kDate);
  });
  const bool has_number =
      any([](const Type& type) { return type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64); });
  const bool has_text = any([](const Type& type) { return type.is(TypeKind::kString); });
  if (const std::string hint = ArrayHint(op, arguments, text); !hint.empty()) return hint;
  if (comparisons.contains(op)) {
    if (has_time && has_number) {
      return "; a time is written as a text such as '2026-01-31 08:30:00', or made of a number by TIMESTAMP_SECONDS, "
             "TIMESTAMP_MILLIS or TIMESTAMP_MICROS";
    }
    if (!has_text || !has_number) return "; CAST one to the other's type";
    for (const ScalarPtr& argument : arguments) {
      const auto* const parameter = If<ParameterRef>(argument.get());
      if (parameter == nullptr) continue;
      return StrCat("; the parameter @", parameter->name, " is declared as ", parameter->type.ToString(),
                    "; declare the type that it is compared with");
    }
    return "; write the number as a text, '5', or CAST the text, SAFE_CAST(… AS INT64)";
  }
  if ((op == "+" || op == "-") && has_time && has_number) return "; a span of time is written INTERVAL 1 HOUR";
  if (op == "+" && has_text && !has_number && !has_time) return "; texts are joined by ||";
  if (op == "AND" || op == "OR" || op == "NOT") return "; it takes BOOL, such as a comparison gives";
  return "";
}

}  // namespace

std::string QuotesHint(std::string_view word) {
  const bool is_word = std::all_of(word.begin(), word.end(),
                                   [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_' || c >= 0x80; });
  return is_word ? StrCat("; a text is written in quotes: '", word, "'") : "";
}

std::string NoOverload(const Function& function, const std::vector<ScalarPtr>& arguments, std::string_view text) {
  std::string op = OperatorText(function.name);
  if (!op.empty())
    return StrCat("no operator ", op, " takes ", TypesText(arguments), OperandsHint(op, arguments, text));
  std::string message = StrCat(function.name, " does not take (", TypesText(arguments), "); it is ");
  for (size_t i = 0; i < function.overloads.size() && i < 4; ++i) {
    if (i > 0) message += " or ";
    message += SignatureText(function.overloads[i]);
  }
  return message;
}

}  // namespace logquery::rewrite
