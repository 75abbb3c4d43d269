// Tags with which an engine's own records show a call, so that an operator finds there whose query it is. They change
// no answer.
#ifndef LOGQUERY_CALL_TAGS_H_
#define LOGQUERY_CALL_TAGS_H_

#include <string>
#include <utility>
#include <vector>

namespace logquery {

// Keys and values of labels. A call's labels have keys of 1 to 63 letters, digits, - and _, the first a letter, and
// values of up to 63 of these, all in lower case, as BigQuery requires.
using Labels = std::vector<std::pair<std::string, std::string>>;

struct CallTags {
  Labels labels = {};
  std::string traceparent = {};  // W3C Trace Context: of the span that asks the engine; empty: the call is not traced
};

}  // namespace logquery

#endif  // LOGQUERY_CALL_TAGS_H_
