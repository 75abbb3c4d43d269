// ClickHouse parses the values like TabSeparated fields: a backslash escapes, and \N is NULL.
#include "lib/engines/clickhouse/backend/parameters.h"

#include "lib/backend/http/client.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;

constexpr size_t kMaxValueBytes = 100 << 10;
constexpr size_t kMaxBytes = 256 << 10;

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\0':
        out += "\\0";
        break;
      default:
        out += c;
    }
  }
  return out;
}

absl::StatusOr<std::string> TextOf(const Value& value) {
  if (value.is_null()) return std::string("\\N");
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return std::string(value.bool_value() ? "true" : "false");
    case TypeKind::kInt64:
    case TypeKind::kDate:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return StrCat(value.int64_value());
    case TypeKind::kString:
      return Escaped(value.string_value());
    default:
      return absl::InternalError(
          StrCat("a value of ", value.type().ToString(), " is bound in a fragment for ClickHouse"));
  }
}

}  // namespace

absl::StatusOr<std::string> ParametersInUrl(const Bindings& bindings) {
  std::string url;
  for (size_t i = 0; i < bindings.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string text, TextOf(bindings[i]));
    // A server takes 128 KiB by default.
    if (text.size() > kMaxValueBytes) {
      return absl::InvalidArgumentError("a parameter of this query is over 100 KiB, which ClickHouse is not sent");
    }
    base::StrAppend(&url, "&param_p", i + 1, "=", http::UrlEncoded(text));
    if (url.size() > kMaxBytes) {
      return absl::InvalidArgumentError("the parameters of this query are over 256 KiB, which ClickHouse is not sent");
    }
  }
  return url;
}

}  // namespace logquery::clickhouse
