// Quotes texts and names, in both of which backslashes escape.
#include "lib/engines/clickhouse/dialect/texts.h"

#include <bit>
#include <cstdint>

#include "lib/base/strings.h"

namespace logquery::emit {
namespace {

using base::StrCat;

std::string Escaped(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\0') {
      out += "\\0";
      continue;
    }
    if (c == quote || c == '\\') out += '\\';
    out += c;
  }
  return out + quote;
}

}  // namespace

std::string ClickHouseIdentifier(std::string_view name) { return Escaped(name, '`'); }

std::string ClickHouseQuoted(std::string_view text) { return Escaped(text, '\''); }

std::string ClickHouseType(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return "Bool";
    case TypeKind::kInt64:
      return "Int64";
    case TypeKind::kFloat64:
      return "Float64";
    case TypeKind::kDate:
      return "Int32";
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return "DateTime64(6, 'UTC')";
    default:
      return "String";
  }
}

absl::StatusOr<std::string> ClickHouseLiteral(const Value& value) {
  const Type& type = value.type();
  if (value.is_null()) return StrCat("CAST(NULL AS Nullable(", ClickHouseType(type), "))");
  switch (type.kind()) {
    case TypeKind::kBool:
      return std::string(value.bool_value() ? "true" : "false");
    case TypeKind::kInt64:
      return StrCat("toInt64(", value.int64_value(), ")");
    case TypeKind::kFloat64:
      // Writes a number by its bits, which is exact also for values without digits.
      return StrCat("reinterpretAsFloat64(toUInt64(", std::bit_cast<uint64_t>(value.float64_value()), "))");
    case TypeKind::kString:
      return ClickHouseQuoted(value.string_value());
    case TypeKind::kDate:
      return StrCat("toInt32(", value.int64_value(), ")");
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return StrCat("fromUnixTimestamp64Micro(toInt64(", value.int64_value(), "), 'UTC')");
    default:
      return absl::InvalidArgumentError(StrCat("ClickHouse is given no literal of ", type.ToString()));
  }
}

std::string ClickHouseParameter(int slot, const Type& type) {
  const bool is_time = type.is(TypeKind::kTimestamp) || type.is(TypeKind::kDatetime);
  if (!is_time) return StrCat("{p", slot, ":Nullable(", ClickHouseType(type), ")}");
  return StrCat("fromUnixTimestamp64Micro({p", slot, ":Nullable(Int64)}, 'UTC')");
}

std::optional<std::string> ClickHouseLikePattern(std::string_view pattern) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '\\') {
      out += pattern[i];
      continue;
    }
    if (++i == pattern.size()) return std::nullopt;
    if (pattern[i] == '%' || pattern[i] == '_' || pattern[i] == '\\') out += '\\';
    out += pattern[i];
  }
  return out;
}

}  // namespace logquery::emit
