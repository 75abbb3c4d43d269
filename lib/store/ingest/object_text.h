// Builds the text of a JSON object, member by member, from slices of valid JSON text.
#ifndef LOGQUERY_LIB_STORE_INGEST_OBJECT_TEXT_H_
#define LOGQUERY_LIB_STORE_INGEST_OBJECT_TEXT_H_

#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {

class ObjectText {
 public:
  // `key` as it is written, without the quotes; `value` is JSON.
  void Add(std::string_view key, std::string_view value) {
    base::StrAppend(&text_, text_.size() > 1 ? "," : "", "\"", key, "\":", value);
  }
  void AddText(std::string_view key, std::string_view text) {
    base::StrAppend(&text_, text_.size() > 1 ? "," : "", "\"", key, "\":");
    AppendJsonString(text, text_);
  }
  std::string ToString() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

// Keys of a row's message, as Logflare's clients name it.
inline bool IsMessage(std::string_view key) { return key == "message" || key == "event_message" || key == "log_entry"; }

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OBJECT_TEXT_H_
