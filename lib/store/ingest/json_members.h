// Visits the members of a JSON object, or the elements of an array, in valid JSON text, as slices of that text.
#ifndef LOGQUERY_LIB_STORE_INGEST_JSON_MEMBERS_H_
#define LOGQUERY_LIB_STORE_INGEST_JSON_MEMBERS_H_

#include <string_view>

#include "absl/functional/function_ref.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {

// `json` is one JSON value; values of another kind have no members or elements. Keys are passed as written, without
// quotes.
inline void ForEachMember(std::string_view json,
                          absl::FunctionRef<void(std::string_view key, std::string_view value)> member) {
  JsonReader reader(json);
  if (!reader.TakeIf('{') || reader.TakeIf('}')) return;
  do {
    JsonReader::String key;
    std::string_view value;
    if (!reader.ReadString(&key) || !reader.TakeIf(':') || !reader.SkipValue(/*keys_differ=*/false, &value)) return;
    member(key.raw, value);
  } while (reader.TakeIf(','));
}

// `element` returns false to stop.
inline void ForEachElementWhile(std::string_view json, absl::FunctionRef<bool(std::string_view value)> element) {
  JsonReader reader(json);
  if (!reader.TakeIf('[') || reader.TakeIf(']')) return;
  do {
    std::string_view value;
    if (!reader.SkipValue(/*keys_differ=*/false, &value) || !element(value)) return;
  } while (reader.TakeIf(','));
}

inline void ForEachElement(std::string_view json, absl::FunctionRef<void(std::string_view value)> element) {
  ForEachElementWhile(json, [&](std::string_view value) {
    element(value);
    return true;
  });
}

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_JSON_MEMBERS_H_
