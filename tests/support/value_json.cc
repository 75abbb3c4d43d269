// A record is written as the object that it is in storage.
#include "tests/support/value_json.h"

#include "lib/base/strings.h"

namespace logquery::testing {

using base::StrAppend;
using base::StrCat;

std::string JsonOf(const Value& value) {
  if (value.is_null()) return "null";
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return value.bool_value() ? "true" : "false";
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return StrCat(value.int64_value());
    case TypeKind::kString:
      return StrCat("\"", value.string_value(), "\"");
    default:
      break;
  }
  const bool is_object = value.type().is_record() || value.type().is_struct();
  std::string text;
  for (size_t i = 0; i < value.children().size(); ++i) {
    const Value& child = value.children()[i];
    if (is_object && child.is_null()) continue;
    StrAppend(&text, text.empty() ? "" : ",");
    if (is_object) StrAppend(&text, "\"", value.type().fields()[i].name, "\":");
    text += JsonOf(child);
  }
  return is_object ? StrCat("{", text, "}") : StrCat("[", text, "]");
}

}  // namespace logquery::testing
