// Writes numbers in network byte order.
#include "lib/engines/postgres/backend/parameters.h"

#include <limits>
#include <string_view>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::postgres {
namespace {

using base::StrCat;

template <typename T>
std::string BigEndian(T number) {
  std::string bytes(sizeof(T), '\0');
  for (size_t i = sizeof(T); i-- > 0; number = static_cast<T>(number >> 8)) bytes[i] = static_cast<char>(number & 0xFF);
  return bytes;
}

absl::StatusOr<uint32_t> IdOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return kBoolId;
    case TypeKind::kInt64:
      return kInt8Id;
    case TypeKind::kString:
      return kTextId;
    case TypeKind::kDate:
      return kDateId;
    case TypeKind::kDatetime:
      return kTimestampId;
    case TypeKind::kTimestamp:
      return kTimestamptzId;
    default:
      return absl::InternalError(StrCat("a value of ", type.ToString(), " is bound in a fragment for PostgreSQL"));
  }
}

absl::StatusOr<std::string> BytesOf(const Value& value) {
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return std::string(1, value.bool_value() ? '\1' : '\0');
    case TypeKind::kInt64:
      return BigEndian(value.int64_value());
    case TypeKind::kDate:
      return BigEndian(static_cast<int32_t>(value.int64_value() - kEpochDays));
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return BigEndian(value.int64_value() - kEpochMicros);
    default:
      break;
  }
  const std::string& text = value.string_value();
  if (emit::IsPostgresText(text) && text.size() < std::numeric_limits<int>::max()) return text;
  return absl::InvalidArgumentError(
      "a parameter's text has a NUL character or is not UTF-8, which PostgreSQL can't compare with; send text without "
      "it");
}

}  // namespace

absl::StatusOr<Parameters> Parameters::Of(const Bindings& bindings) {
  Parameters made;
  for (const Value& value : bindings) {
    LOGQUERY_ASSIGN_OR_RETURN(const uint32_t id, IdOf(value.type()));
    std::string bytes;
    if (!value.is_null()) {
      LOGQUERY_ASSIGN_OR_RETURN(bytes, BytesOf(value));
    }
    made.types_.push_back(id);
    made.nulls_.push_back(value.is_null());
    made.lengths_.push_back(static_cast<int>(bytes.size()));
    made.formats_.push_back(1);
    made.bytes_.push_back(std::move(bytes));
  }
  return made;
}

std::vector<const char*> Parameters::values() const {
  std::vector<const char*> values;
  for (size_t i = 0; i < bytes_.size(); ++i) values.push_back(nulls_[i] ? nullptr : bytes_[i].data());
  return values;
}

}  // namespace logquery::postgres
