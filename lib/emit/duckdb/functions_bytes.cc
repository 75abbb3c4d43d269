// BYTES, by way of hexadecimal digits, two for each byte, or bit strings.
#include "lib/emit/duckdb/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

std::string Hex(const std::string& bytes) { return StrCat("hex(", bytes, ")"); }
std::string Bits(const std::string& bytes) { return StrCat("CAST(", bytes, " AS BIT)"); }

StatusOr<std::string> Substr(const FunctionCall&, const Texts& args) {
  const std::string length = args.size() > 2 ? args[2] : StrCat(INT64_MAX);
  return StrCat("lq_bytes_substr(", args[0], ", ", args[1], ", ", length, ")");
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
    const std::string lengths_differ =
        StrCat(" WHEN octet_length(", a[0], ") <> octet_length(", a.back(), ") THEN ",
               ErrorText(StrCat("'a bitwise operator takes BYTES of one length, not of ' || octet_length(", a[0],
                                ") || ' and ' || octet_length(", a.back(), ")")));
    // There are no empty bit strings.
    return StrCat("(CASE", a.size() > 1 ? lengths_differ : "", " WHEN octet_length(", a[0], ") = 0 THEN ", a.back(),
                  " ELSE CAST(", text, " AS BLOB) END)");
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
    {"bytes_substr", Substr},           {"bytes_to_code_points", ToCodePoints},
    {"bytes_bits", BitOperation},       {"bytes_bit_count", BitCount},
    {"ip_net_mask", IpNetMask},         {"ip_trunc", IpTrunc},
    {"ipv4_from_int64", Ipv4FromInt64}, {"ipv4_to_int64", Ipv4ToInt64},
};

}  // namespace

DuckDbFunctionList DuckDbBytesFunctions() { return kEntries; }

}  // namespace logquery::emit
