#include <algorithm>

#include "lib/base/utf8.h"
#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {

std::string_view WhiteSpaceLiteral() {
  // Unicode's White_Space.
  return "'\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029"
         "\u202F\u205F\u3000'";
}

namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// DuckDB's substr takes no larger position or length, and no text is longer.
constexpr int64_t kMaxPosition = 4'000'000'000;

// `text` is a name or a literal.
std::string Clamp(const FunctionCall& call, size_t index, const std::string& text) {
  if (const std::optional<int64_t> value = ConstantInt64(call, index)) {
    return StrCat(std::clamp(*value, -kMaxPosition, kMaxPosition));
  }
  return StrCat("CASE WHEN ", text, " > ", kMaxPosition, " THEN ", kMaxPosition, " WHEN ", text, " < -", kMaxPosition,
                " THEN -", kMaxPosition, " ELSE ", text, " END");
}

// Position 0, and one left of the text, mean 1; a negative length is an error.
StatusOr<std::string> Substr(const FunctionCall& call, const Texts& args) {
  const std::optional<int64_t> position = ConstantInt64(call, 1);
  const std::optional<int64_t> length = ConstantInt64(call, 2);
  std::string rest;
  if (args.size() > 2) rest = StrCat(", ", Clamp(call, 2, args[2]));
  const bool length_fits = args.size() < 3 || (length.has_value() && *length >= 0);
  if (length_fits && position.has_value() && *position >= 0) {
    return StrCat("substr(", args[0], ", ", Clamp(call, 1, args[1]) == "0" ? "1" : Clamp(call, 1, args[1]), rest, ")");
  }
  return Once(args, [&](const Texts& a) {
    const std::string at = StrCat("(", Clamp(call, 1, a[1]), ")");
    std::string tail = a.size() > 2 ? StrCat(", ", Clamp(call, 2, a[2])) : "";
    std::string text = StrCat("substr(", a[0], ", CASE WHEN ", at, " = 0 OR ", at, " < -length(", a[0],
                              ") THEN 1 ELSE ", at, " END", tail, ")");
    if (length_fits) return text;
    return StrCat("(CASE WHEN ", a[2], " < 0 AND ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": length is negative'")), " ELSE ", text, " END)");
  });
}

StatusOr<std::string> Trim(const FunctionCall& call, const Texts& args) {
  // DuckDB's own trim takes off spaces alone.
  const std::string_view characters = args.size() > 1 ? std::string_view(args[1]) : WhiteSpaceLiteral();
  return StrCat(base::ToLower(NameOf(call)), "(", args[0], ", ", characters, ")");
}

StatusOr<std::string> Pad(const FunctionCall& call, const Texts& args) {
  const std::string function = base::ToLower(NameOf(call));
  Texts all = args;
  if (all.size() < 3) all.push_back("' '");
  const std::optional<int64_t> length = ConstantInt64(call, 1);
  const std::optional<std::string> pattern = args.size() < 3 ? " " : ConstantString(call, 2);
  if (length.has_value() && *length >= 0 && pattern.has_value() && !pattern->empty()) {
    return StrCat(function, "(", all[0], ", CAST(", all[1], " AS INTEGER), ", all[2], ")");
  }
  return Once(all, [&](const Texts& a) {
    return StrCat("(CASE WHEN (", a[1], " < 0 OR ", a[2], " = '') AND ", a[0], " IS NOT NULL AND ", a[1],
                  " IS NOT NULL AND ", a[2], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": the length is negative or the pattern empty'")), " ELSE ",
                  function, "(", a[0], ", CAST(", a[1], " AS INTEGER), ", a[2], ") END)");
  });
}

StatusOr<std::string> Split(const FunctionCall& call, const Texts& args) {
  if (args.size() == 1) return StrCat("string_split(", args[0], ", ',')");
  const std::optional<std::string> delimiter = ConstantString(call, 1);
  if (delimiter.has_value() && !delimiter->empty()) return StrCat("string_split(", args[0], ", ", args[1], ")");
  return Once(args, [](const Texts& a) {
    return StrCat("(CASE WHEN ", a[0], " = '' AND ", a[1], " = '' THEN [] WHEN ", a[1],
                  " IS NOT NULL THEN string_split(", a[0], ", ", a[1], ") END)");
  });
}

// An argument that may not be negative.
std::string UnlessNegative(const FunctionCall& call, const Texts& args, size_t index,
                           absl::FunctionRef<std::string(const Texts&)> make) {
  const std::optional<int64_t> constant = ConstantInt64(call, index);
  if (constant.has_value() && *constant >= 0) return make(args);
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN ", a[index], " < 0 AND ", a[0], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": the second argument is negative'")), " ELSE ", make(a),
                  " END)");
  });
}

StatusOr<std::string> Left(const FunctionCall& call, const Texts& args) {
  const std::string function = base::ToLower(NameOf(call));
  return UnlessNegative(call, args, 1, [&](const Texts& a) {
    return StrCat("\"", function, "\"(", a[0], ", ", Clamp(call, 1, a[1]), ")");
  });
}

StatusOr<std::string> Repeat(const FunctionCall& call, const Texts& args) {
  return UnlessNegative(call, args, 1, [&](const Texts& a) { return StrCat("repeat(", a[0], ", ", a[1], ")"); });
}

// DuckDB makes ß the capital ẞ.
StatusOr<std::string> Upper(const FunctionCall&, const Texts& args) {
  return StrCat("upper(replace(", args[0], ", 'ß', 'ss'))");
}

StatusOr<std::string> ConcatAny(const FunctionCall& call, const Texts& args) {
  Texts parts;
  for (size_t i = 0; i < args.size(); ++i) {
    if (IsNullConstant(call, i)) return std::string("CAST(NULL AS VARCHAR)");
    StatusOr<std::string> part = StringOf(call.arguments[i]->type, args[i]);
    if (!part.ok()) return part;
    parts.push_back(*std::move(part));
  }
  return Balanced(parts, "||");
}

// A constant text's characters as those of a character class.
std::string ClassOf(std::string_view characters) {
  std::string text;
  for (char c : characters) {
    if (static_cast<unsigned char>(c) < 0x80 && !absl::ascii_isalnum(static_cast<unsigned char>(c))) text += '\\';
    text += c;
  }
  return text;
}

StatusOr<std::string> InitCap(const FunctionCall& call, const Texts& args) {
  std::string delimiters = "[](){}/|\\<>!?@\"#$&~_,.:;*%+-^";
  if (args.size() > 1) {
    const std::optional<std::string> given = ConstantString(call, 1);
    if (!given.has_value()) return absl::UnimplementedError("INITCAP with delimiters that are not a literal");
    delimiters = *given;
  } else {
    const std::string_view white = WhiteSpaceLiteral();
    delimiters += white.substr(1, white.size() - 2);
  }
  if (delimiters.empty()) {
    return Once(args,
                [](const Texts& a) { return StrCat("(upper(left(", a[0], ", 1)) || lower(substr(", a[0], ", 2)))"); });
  }
  const std::string set = ClassOf(delimiters);
  return Once(args, [&](const Texts& a) {
    const std::string word = FreshName(a);
    return StrCat("(CASE WHEN ", a[0], " = '' THEN '' ELSE array_to_string(list_transform(regexp_extract_all(", a[0],
                  ", ", Quote(StrCat("[", set, "]+|[^", set, "]+")), "), lambda ", word, ": CASE WHEN regexp_matches(",
                  word, ", ", Quote(StrCat("^[", set, "]")), ") THEN ", word, " ELSE upper(left(", word,
                  ", 1)) || lower(substr(", word, ", 2)) END), '') END)");
  });
}

// Places count from 1, from the end when negative. The n-th place where the text holds the other; 0 when there is none.
StatusOr<std::string> InStr(const FunctionCall& call, const Texts& args) {
  if (args.size() == 2) return StrCat("strpos(", args[0], ", ", args[1], ")");
  const std::optional<int64_t> position = ConstantInt64(call, 2);
  const std::optional<int64_t> occurrence = args.size() > 3 ? ConstantInt64(call, 3) : 1;
  if (!position.has_value() || *position < 1 || occurrence != 1) {
    return absl::UnimplementedError("INSTR with a position that is no positive literal, or an occurrence");
  }
  return Once(args, [](const Texts& a) {
    const std::string found = StrCat("strpos(substr(", a[0], ", ", a[2], "), ", a[1], ")");
    return StrCat("(CASE WHEN ", found, " > 0 AND ", a[2], " <= length(", a[0], ") THEN ", found, " + ", a[2],
                  " - 1 WHEN ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN 0 END)");
  });
}

StatusOr<std::string> Translate(const FunctionCall& call, const Texts& args) {
  const std::optional<std::string> from = ConstantString(call, 1);
  if (!from.has_value()) return absl::UnimplementedError("TRANSLATE of characters that are not a literal");
  for (size_t i = 0; i < from->size(); i += base::DecodeUtf8(*from, i).bytes) {
    const std::string_view character = std::string_view(*from).substr(i, base::DecodeUtf8(*from, i).bytes);
    if (from->find(character, i + character.size()) != std::string::npos) {
      return absl::InvalidArgumentError(StrCat("TRANSLATE: the character ", Quote(character), " is given twice"));
    }
  }
  return FillTemplate("translate($1, $2, $3)", args);
}

// Four characters of a letter and digits: letters that sound alike have one digit, vowels none.
StatusOr<std::string> Soundex(const FunctionCall&, const Texts& args) {
  return Once({StrCat("regexp_replace(", args[0], ", '[^A-Za-z]', '', 'g')")}, [](const Texts& a) {
    std::string digits = StrCat("replace(translate(upper(", a[0],
                                "), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01230120022455012623010202'), '0', '')");
    for (char digit = '1'; digit <= '6'; ++digit) {
      digits =
          StrCat("regexp_replace(", digits, ", '", std::string(1, digit), "+', '", std::string(1, digit), "', 'g')");
    }
    return StrCat("(CASE WHEN ", a[0], " = '' THEN '' ELSE left(", a[0], ", 1) || rpad(substr(", digits,
                  ", CASE WHEN regexp_matches(", a[0], ", '^[AEIOUHWYaeiouhwy]') THEN 1 ELSE 2 END), 3, '0') END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"substr", Substr},
    {"trim", Trim},
    {"pad", Pad},
    {"split", Split},
    {"left", Left},
    {"repeat", Repeat},
    {"upper", Upper},
    {"concat_any", ConcatAny},
    {"initcap", InitCap},
    {"instr", InStr},
    {"translate", Translate},
    {"soundex", Soundex},
};

}  // namespace

DuckDbFunctionList DuckDbStringFunctions() { return kEntries; }

}  // namespace logquery::emit
