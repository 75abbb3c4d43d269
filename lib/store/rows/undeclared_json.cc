// Keeps the path of open objects, and closes those that the next member is not in.
#include "lib/store/rows/undeclared_json.h"

#include "lib/base/strings.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {

void NestedJson::Add(const std::vector<std::string>& path, std::string_view key, std::string_view value) {
  size_t common = 0;
  while (common < open_.size() && common < path.size() && open_[common] == path[common]) ++common;
  text_.append(open_.size() - common, '}');
  open_.resize(common);
  if (text_.back() != '{') text_ += ',';
  for (size_t i = common; i < path.size(); ++i) {
    AppendJsonString(path[i], text_);
    text_ += ":{";
    open_.push_back(path[i]);
  }
  base::StrAppend(&text_, "\"", key, "\":", value);
}

const std::string& NestedJson::Finish() {
  text_.append(open_.size() + 1, '}');
  return text_;
}

}  // namespace logquery::store
