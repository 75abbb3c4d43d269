// BYTES functions, implemented with hexadecimal text (two digits per byte) or bit strings.
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

Sql Hex(const Sql& bytes) { return Cat("hex(", bytes, ")"); }
Sql Bits(const Sql& bytes) { return Cat("CAST(", bytes, " AS BIT)"); }

StatusOr<Sql> Substr(const FunctionCall&, const Texts& args) {
  const Sql length = args.size() > 2 ? args[2] : Cat(INT64_MAX);
  return Cat("lq_bytes_substr(", args[0], ", ", args[1], ", ", length, ")");
}

// A mask of `bits` ones in `bytes` bytes.
Sql Mask(const Sql& bytes, const Sql& bits) {
  return Cat("CAST(rpad(repeat('1', ", bits, "), CAST(8 * ", bytes, " AS INTEGER), '0') AS BIT)");
}

Sql CheckPrefix(const Sql& bytes, const Sql& bits, std::string_view name, const Sql& text) {
  return Cat("(CASE WHEN ", bytes, " IS NULL OR ", bits, " IS NULL THEN NULL WHEN ", bytes, " NOT IN (4, 16) OR ", bits,
             " < 0 OR ", bits, " > 8 * ", bytes, " THEN ",
             ErrorText(Cat("'", name, ": an address has 4 or 16 bytes, and a prefix no more bits than that'")),
             " ELSE CAST(", text, " AS BLOB) END)");
}

StatusOr<Sql> IpNetMask(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) { return CheckPrefix(a[0], a[1], NameOf(call), Mask(a[0], a[1])); });
}

StatusOr<Sql> IpTrunc(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    const Sql bytes = Cat("octet_length(", a[0], ")");
    return CheckPrefix(bytes, a[1], NameOf(call), Cat(Bits(a[0]), " & ", Mask(bytes, a[1])));
  });
}

StatusOr<Sql> Ipv4FromInt64(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN ", a[0], " < -2147483648 OR ", a[0], " > 4294967295 THEN ",
               ErrorText(Cat("'", NameOf(call), ": out of range: ' || ", a[0])), " ELSE unhex(printf('%08x', ", a[0],
               " & 4294967295)) END)");
  });
}

StatusOr<Sql> Ipv4ToInt64(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN octet_length(", a[0], ") <> 4 THEN ",
               ErrorText(Cat("'", NameOf(call), ": an IPv4 address has 4 bytes'")), " ELSE CAST('0x' || ", Hex(a[0]),
               " AS BIGINT) END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"bytes_substr", Substr},           {"ip_net_mask", IpNetMask},     {"ip_trunc", IpTrunc},
    {"ipv4_from_int64", Ipv4FromInt64}, {"ipv4_to_int64", Ipv4ToInt64},
};

}  // namespace

DuckDbFunctionList DuckDbBytesFunctions() { return kEntries; }

}  // namespace logquery::emit
