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
  enum class Wanted { kObject, kAnyValue };

  // `json` is borrowed. If it has half surrogate pairs, text() is a copy with U+FFFD in their place, of the same size.
  explicit CheckedJson(std::string_view json, Wanted wanted = Wanted::kObject) : wanted_(wanted), text_(json) {
    if (!Check()) return;
    text_ = MendHalfPairs(json, mended_);
    Check();
  }
  CheckedJson(const CheckedJson&) = delete;
  CheckedJson& operator=(const CheckedJson&) = delete;

  // Why it is not one JSON object, or one value, with the place; empty: it is.
  const std::string& problem() const { return problem_; }
  std::string_view text() const { return text_; }

 private:
  // Returns whether mending may help.
  bool Check() {
    JsonReader reader(text_);
    std::string_view value;
    const bool may_be = wanted_ == Wanted::kAnyValue || reader.Peek() == '{';
    const bool is_value = may_be ? reader.SkipValue(/*keys_differ=*/false, &value) : reader.FailWanted("an object");
    if (is_value && !reader.AtEnd()) reader.FailWanted("the end of the event");
    problem_ = reader.error().empty() ? std::string() : reader.ErrorWithColumn();
    return reader.met_half_pair();
  }

  const Wanted wanted_;
  std::string_view text_;
  Arena mended_;
  std::string problem_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_CHECKED_JSON_H_
