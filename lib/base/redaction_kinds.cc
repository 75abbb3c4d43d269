// The text is JSON.
#include "lib/base/redaction_kinds.h"

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"

namespace logquery::base {

std::string PrintRedactionKinds(const RedactionKinds& kinds) {
  if (kinds == RedactionKinds()) return "";
  // Patterns are UTF-8 by now: no other ones compile.
  return Json({{"email", kinds.email}, {"patterns", kinds.patterns}}).ToString();
}

absl::StatusOr<RedactionKinds> ParseRedactionKinds(std::string_view text) {
  RedactionKinds kinds;
  if (text.empty()) return kinds;
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, ParseJson("kinds of redaction", text));
  const auto wrong = [] { return absl::InvalidArgumentError("kinds of redaction are not of their form"); };
  if (!json.is_object() || json.size() != 2 || !json.contains("email") || !json.contains("patterns")) return wrong();
  if (!json["email"].is_boolean() || !json["patterns"].is_array()) return wrong();
  kinds.email = json["email"].get<bool>();
  for (const Json& pattern : json["patterns"]) {
    if (!pattern.is_string()) return wrong();
    kinds.patterns.push_back(pattern.get<std::string>());
  }
  return kinds;
}

}  // namespace logquery::base
