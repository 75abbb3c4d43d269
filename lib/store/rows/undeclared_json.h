// Builds the JSON text of a row's undeclared fields, with their original nesting.
#ifndef LOGQUERY_LIB_STORE_ROWS_UNDECLARED_JSON_H_
#define LOGQUERY_LIB_STORE_ROWS_UNDECLARED_JSON_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::store {

// Members must be added in the order of a walk through the row, so that members with a common path are adjacent.
//
//     NestedJson json;
//     json.Add({"metadata"}, "a", "1");
//     json.Add({"metadata", "request"}, "b", "\"x\"");
//     json.Finish();  // {"metadata":{"a":1,"request":{"b":"x"}}}
class NestedJson {
 public:
  // `key` is as written in JSON, without quotes; `value` is JSON.
  void Add(const std::vector<std::string>& path, std::string_view key, std::string_view value);
  // Returns the text. Nothing may be added afterwards.
  const std::string& Finish();

 private:
  std::string text_ = "{";
  std::vector<std::string> open_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_UNDECLARED_JSON_H_
