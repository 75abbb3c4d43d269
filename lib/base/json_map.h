// Maps each value of a parsed JSON text to its position in that text, for errors with a place.
//
//     const JsonMap map(text, parsed);
//     PlaceInText(text, map.OffsetOfMember(parsed["limits"], "max_rows"));
#ifndef LOGQUERY_LIB_BASE_JSON_MAP_H_
#define LOGQUERY_LIB_BASE_JSON_MAP_H_

#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "lib/base/json/value.h"

namespace logquery::base {

class JsonMap {
 public:
  // `parsed` must be the result of ParseJson on `text`, and must not move or change while the map is used.
  JsonMap(std::string_view text, const Json& parsed);

  // Returns the offset of a value's first byte; 0 for a value that is not in `parsed`.
  size_t OffsetOf(const Json& value) const;
  // Returns the offset of the key of a member of `object`; if there is no such member, the object's offset.
  size_t OffsetOfMember(const Json& object, std::string_view key) const;

 private:
  void Walk(const Json& value);
  size_t Skip(std::string_view bytes);

  const std::string_view text_;
  size_t at_ = 0;
  std::unordered_map<const Json*, size_t> values_;
  std::unordered_map<const Json*, size_t> keys_;  // by the address of the member's value
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_MAP_H_
