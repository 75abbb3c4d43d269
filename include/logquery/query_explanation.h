// What becomes of a query between its text and the engine, for people: each step, what runs where, and the engine's own plan.
#ifndef LOGQUERY_QUERY_EXPLANATION_H_
#define LOGQUERY_QUERY_EXPLANATION_H_

#include <string>
#include <utility>
#include <vector>

namespace logquery {

struct QueryExplanation {
  // A part that runs where its rows are.
  struct Part {
    std::string table;                   // as `text` names its rows
    std::string text;                    // in the words of the engine that has the rows
    std::string then_here;               // what is done to its rows here, and why; empty: nothing is
    std::vector<std::string> variables;  // names of the bind variables of `text`, in order
  };
  std::vector<std::pair<std::string, std::string>> passes;  // the pass's name, and the query after it as GoogleSQL
  std::vector<Part> parts;                                  // none: the backend runs the query as a whole
  std::string text;                                         // what the backend's engine runs, in its dialect
  std::vector<std::string> variables;  // names of the bind variables of `text`, `$1` first: "project STRING"
  std::string engine;                  // its name and version
  std::string engine_plan;  // in the engine's own words; empty: it was not asked for, or the engine gives none
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_EXPLANATION_H_
