// The expressions of expressions.txt and the queries that they are put in.
//
//     absl::StatusOr<Catalogue> catalogue = Catalogue::Read(path);
//     for (const Query& query : catalogue->Queries(Coverage::kEverywhere)) twins.Check(caller, query.sql);
#ifndef LOGQUERY_TESTS_ISOLATION_EXPRESSIONS_H_
#define LOGQUERY_TESTS_ISOLATION_EXPRESSIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::isolation {

struct Expression {
  std::string section;  // "raising", "safe", "guarded" or "failing"
  std::string type;
  std::string text;  // with {number} and the like
};

struct Place {
  std::string name;
  std::string type;  // of the expressions that it takes; empty: any
  std::string text;  // with {x} and {from}
};

struct Query {
  std::string kind;   // the expression's line: what findings are counted by
  std::string place;  // the place's name
  std::string sql;
};

enum class Coverage {
  kEverywhere,   // each expression in each place, and over each column of its roles in a few
  kOncePerKind,  // each expression in a few places
};

struct Catalogue {
  std::vector<Place> places;
  std::vector<Expression> expressions;

  // InvalidArgument: a line that is of no section, or without a type, with its number. NotFound: no such file.
  static absl::StatusOr<Catalogue> Read(const std::string& path);

  std::vector<Query> Queries(Coverage coverage) const;
};

// The expression over the which-th column of each role that it names, counted round.
std::string OverColumns(const std::string& text, size_t which);
// How many columns the longest of its roles has; 1: it names none.
size_t ColumnCount(const std::string& text);
// The query of a place with the expression in it. An expression that is neither groupable nor orderable is compared as JSON text.
std::string Placed(const Place& place, const std::string& type, const std::string& expression);

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_EXPRESSIONS_H_
