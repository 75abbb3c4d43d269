// Walks through the members of a JSON object or the elements of an array that is valid already, as slices of its text.
#ifndef LOGQUERY_LIB_STORE_INGEST_JSON_MEMBERS_H_
#define LOGQUERY_LIB_STORE_INGEST_JSON_MEMBERS_H_

#include <string_view>

#include "absl/functional/function_ref.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {

// `json` is one JSON value; of another kind than an object it has no members, of another than an array no elements. Keys are
// as they are written, without the quotes.
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

// `element` returns false to end the walk.
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
