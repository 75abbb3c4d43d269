// The JSON text that keeps the fields which a row had beyond the declared ones, nested as they were.
#ifndef LOGQUERY_LIB_STORE_ROWS_UNDECLARED_JSON_H_
#define LOGQUERY_LIB_STORE_ROWS_UNDECLARED_JSON_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::store {

// Built member by member, in the order of a walk through the row: whatever has a path in common comes together.
//
//     NestedJson json;
//     json.Add({"metadata"}, "a", "1");
//     json.Add({"metadata", "request"}, "b", "\"x\"");
//     json.Finish();  // {"metadata":{"a":1,"request":{"b":"x"}}}
class NestedJson {
 public:
  // `key` is as JSON writes it, without the quotes; `value` is JSON.
  void Add(const std::vector<std::string>& path, std::string_view key, std::string_view value);
  // The text; nothing may be added after it.
  const std::string& Finish();

 private:
  std::string text_ = "{";
  std::vector<std::string> open_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_UNDECLARED_JSON_H_
