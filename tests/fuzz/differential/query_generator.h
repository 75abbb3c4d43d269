// Queries by chance over the fuzzed logs: their text settles their results, whatever way they are run.
//
//     FuzzQuery query = QueryGenerator(grammar, choices).Make();
//
// Every run has to give the same, so LIMIT stands behind an order of all columns; what depends on the order of rows is ordered by
// a key; what may fail on a row stands behind a condition, or in the outermost SELECT list, where it has to fail in every run.
#ifndef LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_QUERY_GENERATOR_H_
#define LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_QUERY_GENERATOR_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/differential/choices.h"
#include "tests/fuzz/differential/grammar.h"

namespace logquery::fuzz {

struct FuzzQuery {
  std::string sql;
  std::vector<std::string> ordered_by;  // columns of the result whose order is settled
};

// The rows of FROM, or of a query in its place.
struct Relation {
  std::string text;
  std::vector<Column> columns;                  // by the names that the query around uses
  std::optional<std::vector<std::string>> key;  // columns that together tell its rows apart; nullopt: unknown
};

class QueryGenerator {
 public:
  // Both are borrowed.
  QueryGenerator(const Grammar& grammar, Choices& choices) : choices_(choices), maker_(grammar, choices) {}

  FuzzQuery Make();

 private:
  using Types = std::vector<std::string>;

  std::string NewName(const char* kind);
  std::string Expression(const std::string& type, const Relation& from, int depth);
  const std::string& AnyType();

  // FROM: query_generator_from.cc
  Relation From(int depth);
  Relation Table();
  Relation Source(int depth);
  Relation Derived(int depth);
  Relation Pivoted();
  Relation Recursive();
  void AddUnnest(Relation& from);
  void AddUnnestOfRecord(Relation& from, const Column& record);
  void AddUnnestOfArray(Relation& from, const Column& array);
  void AddJoin(Relation& from, int depth);
  std::string JoinKind(const Relation& from);

  // SELECT: query_generator_select.cc. Each is a whole query, its columns by their output names; `types`: what it has to
  // give, nullptr: anything.
  Relation Select(int depth, const Types* types);
  Relation PlainSelect(Relation from, const Types& types);
  Relation StarSelect(Relation from);
  Relation DistinctSelect(Relation from, const Types& types);
  Relation AggregateSelect(Relation from, const Types* types);
  Relation WindowSelect(Relation from);
  std::string GroupKeys(Relation& made, Relation& grouped, const Relation& from, std::string& list);
  void SetWindows(const Relation& from);
  Types SomeTypes(int least, bool groupable);

  // Whole queries: query_generator.cc and, with |>, query_generator_pipe.cc
  Relation Query(int depth);
  Relation SetOperation(int depth);
  Relation Pipe(int depth);
  void PipeStep(Relation& query, int depth);
  void PipeAggregate(Relation& query);
  void PipeSelect(Relation& query, int columns);
  // An order of all columns, and a LIMIT.
  bool AddLimit(Relation& query, const char* before);
  std::string With(int depth);
  void AddFailing(Relation& query, const Relation& from);

  Choices& choices_;
  ExpressionMaker maker_;
  std::vector<Relation> entries_;  // of WITH, `text` being the name
  std::vector<std::string> ordered_by_;
  int names_ = 0;
};

// Returns whether rows can be told apart and put in order by a column of that type.
bool IsOrdered(const std::string& type);

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_QUERY_GENERATOR_H_
