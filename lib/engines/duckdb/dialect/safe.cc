// The text is our own, written around placeholder names for the operands, so every word in it is known: error(…)
// becomes NULL, CAST becomes TRY_CAST, each of our functions becomes its variant that returns NULL
// (functions/register.cc), and those of DuckDB's functions that may raise are replaced or rejected.
#include "lib/engines/duckdb/dialect/safe.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "lib/base/status_macros.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;

constexpr std::string_view kOperand = "operand";

// The replacements for functions of DuckDB that may raise an error; empty: there is none.
const absl::flat_hash_map<std::string_view, std::string_view>& Replacements() {
  static const auto& replacements = *new absl::flat_hash_map<std::string_view, std::string_view>{
      {"CAST", "TRY_CAST"},
      {"acos", "lq_or_null_acos"},
      {"acosh", "lq_or_null_acosh"},
      {"asin", "lq_or_null_asin"},
      {"atanh", "lq_or_null_atanh"},
      {"cos", "lq_or_null_cos"},
      {"decode", "lq_or_null_bytes_as_string"},
      {"exp", "lq_or_null_exp"},
      {"ln", "lq_or_null_ln"},
      {"log10", "lq_or_null_log10"},
      {"pow", "lq_or_null_pow"},
      {"sin", "lq_or_null_sin"},
      {"sqrt", "lq_or_null_sqrt"},
      {"tan", "lq_or_null_tan"},
      {"json", ""},
      {"list_distance", ""},
      {"repeat", ""},
  };
  return replacements;
}

bool IsWord(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The offset behind the quoted run that begins at `offset`, in which a doubled quote is one.
size_t SkipQuoted(std::string_view text, size_t offset) {
  const size_t end = text.find(text[offset], offset + 1);
  return end == std::string_view::npos ? text.size() : end + 1;
}

// The offset behind the parenthesis that closes the one before `offset`.
size_t SkipParentheses(std::string_view text, size_t offset) {
  for (int open = 1; offset < text.size() && open > 0;) {
    const char c = text[offset];
    if (c == '\'' || c == '"') {
      offset = SkipQuoted(text, offset);
      continue;
    }
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    ++offset;
  }
  return offset;
}

size_t EndOfWord(std::string_view text, size_t offset) {
  while (offset < text.size() && IsWord(text[offset])) ++offset;
  return offset;
}

// The number of the operand that the word stands for, from 1; 0: none.
size_t OperandOf(std::string_view word) {
  if (!word.starts_with(kOperand) || !word.ends_with("_")) return 0;
  size_t number = 0;
  for (const char c : word.substr(kOperand.size(), word.size() - kOperand.size() - 1)) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return 0;
    number = number * 10 + static_cast<size_t>(c - '0');
  }
  return number;
}

StatusOr<std::string> CalledSafely(std::string_view what, std::string_view function) {
  if (function.starts_with("lq_")) {
    if (function.starts_with("lq_or_null_")) return std::string(function);
    return StrCat("lq_or_null_", function.substr(3));
  }
  const auto found = Replacements().find(function);
  if (found == Replacements().end()) return std::string(function);
  if (found->second.empty()) return absl::UnimplementedError(StrCat("SAFE.", what, " is not supported"));
  return std::string(found->second);
}

// Copies the text, passing each word and quoted run to `word`, which appends its replacement and returns the offset to
// go on from.
template <typename Word>
absl::Status ForEachWord(std::string_view text, std::string& out, Word word) {
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\'' || text[at] == '"') {
      const size_t end = SkipQuoted(text, at);
      out += text.substr(at, end - at);
      at = end;
    } else if (IsWord(text[at])) {
      LOGQUERY_ASSIGN_OR_RETURN(at, word(at, EndOfWord(text, at)));
    } else {
      out += text[at++];
    }
  }
  return absl::OkStatus();
}

// The template without what raises errors: the facts stay, as no operand goes.
StatusOr<Sql> WithoutErrors(std::string_view what, const Sql& spelling) {
  const std::string_view text = spelling.text();
  std::string out;
  LOGQUERY_RETURN_IF_ERROR(ForEachWord(text, out, [&](size_t begin, size_t end) -> StatusOr<size_t> {
    const std::string_view word = text.substr(begin, end - begin);
    const bool is_call = end < text.size() && text[end] == '(';
    if (is_call && word == "error") {
      out += "NULL";
      return SkipParentheses(text, end + 1);
    }
    if (!is_call) {
      out += word;
      return end;
    }
    LOGQUERY_ASSIGN_OR_RETURN(const std::string called, CalledSafely(what, word));
    out += called;
    return end;
  }));
  return Sql(std::move(out), spelling.facts());
}

StatusOr<Sql> WithOperands(const Sql& spelling, const Texts& operands) {
  const std::string_view text = spelling.text();
  Sql all;
  std::string out;
  LOGQUERY_RETURN_IF_ERROR(ForEachWord(text, out, [&](size_t begin, size_t end) -> StatusOr<size_t> {
    const std::string_view word = text.substr(begin, end - begin);
    const size_t number = OperandOf(word);
    if (number == 0 || number > operands.size()) {
      out += word;
      return end;
    }
    all.Append(Sql(std::exchange(out, "")));
    all.Append(operands[number - 1]);
    return end;
  }));
  all.Append(Sql(out));
  all.facts().AddPart(spelling.facts());
  return all;
}

}  // namespace

StatusOr<Sql> DuckDbSafe(std::string_view what, const Texts& operands,
                         absl::FunctionRef<StatusOr<Sql>(const Texts&)> make) {
  Texts names;
  for (size_t i = 1; i <= operands.size(); ++i) names.push_back(Sql::Simple(StrCat(kOperand, i, "_")));
  LOGQUERY_ASSIGN_OR_RETURN(const Sql plain, make(names));
  LOGQUERY_ASSIGN_OR_RETURN(const Sql safe, WithoutErrors(what, plain));
  absl::Status failed;
  Sql text = Once(operands, {safe}, [&](const Texts& a) {
    StatusOr<Sql> filled = WithOperands(safe, a);
    failed.Update(filled.status());
    return filled.value_or("");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

}  // namespace logquery::emit
