// BYTES, of which DuckDB can do little: most goes through the hexadecimal digits, two for each byte, or bit strings.
#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

std::string Hex(const std::string& bytes) { return StrCat("hex(", bytes, ")"); }
std::string Bits(const std::string& bytes) { return StrCat("CAST(", bytes, " AS BIT)"); }

// "41,42,": each byte ends with a comma, so that a search finds whole bytes.
std::string Separated(const std::string& bytes) {
  return StrCat("regexp_replace(hex(", bytes, "), '(..)', '\\1,', 'g')");
}

// NULL stays NULL, which DuckDB's least leaves out.
std::string AtMost(const std::string& text, const std::string& limit) {
  return StrCat("CASE WHEN ", text, " > ", limit, " THEN ", limit, " ELSE ", text, " END");
}

StatusOr<std::string> StrPos(const FunctionCall&, const Texts& args) {
  return StrCat("((strpos(", Separated(args[0]), ", ", Separated(args[1]), ") + 2) // 3)");
}

StatusOr<std::string> Substr(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    const std::string length = StrCat("octet_length(", a[0], ")");
    const std::string at =
        StrCat("CASE WHEN ", a[1], " = 0 OR ", a[1], " < -", length, " THEN 1 WHEN ", a[1], " < 0 THEN ", length, " + ",
               a[1], " + 1 ELSE ", AtMost(a[1], StrCat(length, " + 1")), " END");
    std::string text = StrCat("substr(", Hex(a[0]), ", 2 * (", at, ") - 1");
    if (a.size() > 2) base::StrAppend(&text, ", 2 * (", AtMost(a[2], length), ")");
    text = StrCat("unhex(", text, "))");
    if (a.size() < 3) return text;
    return StrCat("(CASE WHEN ", a[2], " < 0 AND ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": length is negative'")), " ELSE ", text, " END)");
  });
}

StatusOr<std::string> Left(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN ", a[1], " < 0 AND ", a[0], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": the second argument is negative'")), " ELSE unhex(\"",
                  base::ToLower(NameOf(call)), "\"(", Hex(a[0]), ", 2 * (",
                  AtMost(a[1], StrCat("octet_length(", a[0], ")")), "))) END)");
  });
}

StatusOr<std::string> Pad(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  if (all.size() < 3) all.push_back("'\\x20'::BLOB");
  return Once(all, [&](const Texts& a) {
    return StrCat("(CASE WHEN (", a[1], " < 0 OR octet_length(", a[2], ") = 0) AND ", a[0], " IS NOT NULL AND ", a[1],
                  " IS NOT NULL AND ", a[2], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": the length is negative or the pattern empty'")),
                  " ELSE unhex(", base::ToLower(NameOf(call)), "(", Hex(a[0]), ", CAST(2 * ", a[1], " AS INTEGER), ",
                  Hex(a[2]), ")) END)");
  });
}

StatusOr<std::string> Reverse(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return StrCat("(CASE WHEN octet_length(", a[0], ") = 0 THEN ", a[0],
                  " ELSE unhex(array_to_string(list_reverse(regexp_extract_all(", Hex(a[0]), ", '..')), '')) END)");
  });
}

StatusOr<std::string> ToCodePoints(const FunctionCall&, const Texts& args) {
  const std::string name = FreshName(args);
  return StrCat("list_transform(regexp_extract_all(", Hex(args[0]), ", '..'), lambda ", name, ": CAST('0x' || ", name,
                " AS BIGINT))");
}

StatusOr<std::string> BitOperation(const FunctionCall& call, const Texts& args) {
  const std::string_view name = NameOf(call);
  return Once(args, [&](const Texts& a) {
    std::string text = name == "$bit_not"   ? StrCat("~ ", Bits(a[0]))
                       : name == "$bit_and" ? StrCat(Bits(a[0]), " & ", Bits(a[1]))
                       : name == "$bit_or"  ? StrCat(Bits(a[0]), " | ", Bits(a[1]))
                                            : StrCat("xor(", Bits(a[0]), ", ", Bits(a[1]), ")");
    // There are no empty bit strings.
    return StrCat("(CASE WHEN octet_length(", a[0], ") = 0 THEN ", a.back(), " ELSE CAST(", text, " AS BLOB) END)");
  });
}

StatusOr<std::string> BitCount(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return StrCat("(CASE WHEN octet_length(", a[0], ") = 0 THEN 0 ELSE bit_count(", Bits(a[0]), ") END)");
  });
}

// A mask of `bits` ones in `bytes` bytes.
std::string Mask(const std::string& bytes, const std::string& bits) {
  return StrCat("CAST(rpad(repeat('1', ", bits, "), CAST(8 * ", bytes, " AS INTEGER), '0') AS BIT)");
}

std::string CheckPrefix(const std::string& bytes, const std::string& bits, std::string_view name,
                        const std::string& text) {
  return StrCat("(CASE WHEN ", bytes, " IS NULL OR ", bits, " IS NULL THEN NULL WHEN ", bytes, " NOT IN (4, 16) OR ",
                bits, " < 0 OR ", bits, " > 8 * ", bytes, " THEN ",
                ErrorText(StrCat("'", name, ": an address has 4 or 16 bytes, and a prefix no more bits than that'")),
                " ELSE CAST(", text, " AS BLOB) END)");
}

StatusOr<std::string> IpNetMask(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) { return CheckPrefix(a[0], a[1], NameOf(call), Mask(a[0], a[1])); });
}

StatusOr<std::string> IpTrunc(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    const std::string bytes = StrCat("octet_length(", a[0], ")");
    return CheckPrefix(bytes, a[1], NameOf(call), StrCat(Bits(a[0]), " & ", Mask(bytes, a[1])));
  });
}

StatusOr<std::string> Ipv4FromInt64(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN ", a[0], " < -2147483648 OR ", a[0], " > 4294967295 THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": out of range: ' || ", a[0])), " ELSE unhex(printf('%08x', ",
                  a[0], " & 4294967295)) END)");
  });
}

StatusOr<std::string> Ipv4ToInt64(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN octet_length(", a[0], ") <> 4 THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": an IPv4 address has 4 bytes'")), " ELSE CAST('0x' || ",
                  Hex(a[0]), " AS BIGINT) END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"bytes_strpos", StrPos},     {"bytes_substr", Substr},           {"bytes_left", Left},
    {"bytes_pad", Pad},           {"bytes_reverse", Reverse},         {"bytes_to_code_points", ToCodePoints},
    {"bytes_bits", BitOperation}, {"bytes_bit_count", BitCount},      {"ip_net_mask", IpNetMask},
    {"ip_trunc", IpTrunc},        {"ipv4_from_int64", Ipv4FromInt64}, {"ipv4_to_int64", Ipv4ToInt64},
};

}  // namespace

DuckDbFunctionList DuckDbBytesFunctions() { return kEntries; }

}  // namespace logquery::emit
