// JSON text that has been read as a whole, so that slices of it can be taken without further checks.
#ifndef LOGQUERY_LIB_STORE_INGEST_CHECKED_JSON_H_
#define LOGQUERY_LIB_STORE_INGEST_CHECKED_JSON_H_

#include <string>
#include <string_view>

#include "lib/store/rows/arena.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {

class CheckedJson {
 public:
  // `json` is borrowed. If it has half surrogate pairs, text() is a copy with U+FFFD in their place, of the same size.
  explicit CheckedJson(std::string_view json) : text_(json) {
    if (!Check()) return;
    text_ = MendHalfPairs(json, mended_);
    Check();
  }
  CheckedJson(const CheckedJson&) = delete;
  CheckedJson& operator=(const CheckedJson&) = delete;

  // Why it is not one JSON object, with the place; empty: it is.
  const std::string& problem() const { return problem_; }
  std::string_view text() const { return text_; }

 private:
  // Returns whether mending may help.
  bool Check() {
    JsonReader reader(text_);
    std::string_view object;
    const bool is_object =
        reader.Peek() == '{' ? reader.SkipValue(/*keys_differ=*/false, &object) : reader.FailWanted("an object");
    if (is_object && !reader.AtEnd()) reader.FailWanted("the end of the event");
    problem_ = reader.error().empty() ? std::string() : reader.ErrorWithColumn();
    return reader.met_half_pair();
  }

  std::string_view text_;
  Arena mended_;
  std::string problem_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_CHECKED_JSON_H_
