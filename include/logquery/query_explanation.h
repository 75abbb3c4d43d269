// Explains a query to people: each step from its text to the engine, which part runs where, and the engine's own plan.
#ifndef LOGQUERY_QUERY_EXPLANATION_H_
#define LOGQUERY_QUERY_EXPLANATION_H_

#include <string>
#include <utility>
#include <vector>

namespace logquery {

struct QueryExplanation {
  // A part of the query that runs in the engine that stores the rows.
  struct Part {
    std::string table;                   // the name of its rows in QueryExplanation::text
    std::string text;                    // in the dialect of that engine
    std::string then_here;               // what the local engine does to its rows, and why; empty: nothing
    std::vector<std::string> variables;  // names of the bind variables of `text`, in order
  };
  std::vector<std::pair<std::string, std::string>> passes;  // the pass's name, and the query after it as GoogleSQL
  std::vector<Part> parts;                                  // empty: the backend runs the query as a whole
  std::string text;                                         // what the backend's engine runs, in its dialect
  std::vector<std::string> variables;  // the bind variables of `text`, from `$1` on: "project STRING"
  std::string engine;                  // name and version
  std::string kept;                    // what is kept of the answer, or why nothing is
  std::string engine_plan;  // in the engine's own format; empty: it was not requested, or the engine provides none
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_EXPLANATION_H_
