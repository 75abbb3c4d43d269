// Small helpers for slices of valid JSON text.
#ifndef LOGQUERY_LIB_STORE_INGEST_JSON_TEXT_H_
#define LOGQUERY_LIB_STORE_INGEST_JSON_TEXT_H_

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/json_members.h"

namespace logquery::store {

inline bool IsText(std::string_view json) { return !json.empty() && json.front() == '"'; }

// Returns the text between the quotes of a string, or all of another value.
inline std::string_view Unquoted(std::string_view json) {
  return IsText(json) ? json.substr(1, json.size() - 2) : json;
}

inline bool IsInteger(std::string_view text) {
  if (text.size() > 1 && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && (text.size() == 1 || text.front() != '0') &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isdigit(c); });
}

// The value of the object's last member of this name; empty: it has none.
inline std::string_view MemberOf(std::string_view object, std::string_view name) {
  std::string_view found;
  ForEachMember(object, [&](std::string_view key, std::string_view value) {
    if (key == name) found = value;
  });
  return found;
}

// Appends a member to an object, which is empty or has no bracket at its end yet.
inline void AddJsonMember(std::string_view key, std::string_view value, std::string& object) {
  base::StrAppend(&object, object.empty() ? "{" : ",", "\"", key, "\":", value);
}

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_JSON_TEXT_H_
