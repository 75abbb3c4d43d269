// Collects all problems of a JSON document, for readers that continue after the first one (json_fields.h).
#ifndef LOGQUERY_LIB_BASE_JSON_PROBLEMS_H_
#define LOGQUERY_LIB_BASE_JSON_PROBLEMS_H_

#include <string>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"

namespace logquery::base {

struct JsonProblem {
  const Json* object;   // the object that has the field, or should have it
  std::string key;      // empty: the object itself is wrong
  std::string message;  // "limits.max_rows must be …"
};

class JsonProblems {
 public:
  // Keeps the first problem of each field, and drops those that follow from it.
  void Add(JsonProblem problem) {
    for (const JsonProblem& known : problems_) {
      if (known.object == problem.object && known.key == problem.key) return;
    }
    problems_.push_back(std::move(problem));
  }
  // Returns the problems in the order in which they were found.
  const std::vector<JsonProblem>& all() const { return problems_; }

 private:
  std::vector<JsonProblem> problems_;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_PROBLEMS_H_
