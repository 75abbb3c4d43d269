// The expressions of expressions.txt, and how one is made of them: by type, over the columns that are in sight.
//
//     ExpressionMaker maker(grammar, choices);
//     std::string condition = maker.Make("BOOL", columns, 3);
#ifndef LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_GRAMMAR_H_
#define LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_GRAMMAR_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/fuzz/differential/choices.h"

namespace logquery::fuzz {

// Types are as expressions.txt writes them: "INT64", "ARRAY<STRING>", "RECORD:metadata".
struct Column {
  std::string text;  // as an expression names it
  std::string type;
  bool dyadic = false;  // a FLOAT64 whose sums do not depend on their order
};

struct Template {
  std::string type;
  std::string text;
  std::vector<std::string> needs;  // types of records, which only a column can give
  bool has_subquery = false;
};

struct Grammar {
  // [scalars], [aggregates] …, each by the type of what its lines give.
  std::map<std::string, std::map<std::string, std::vector<Template>>> sections;

  // InvalidArgument: a line that is none, with its number. NotFound: no such file.
  static absl::StatusOr<Grammar> Read(const std::string& path);
};

class ExpressionMaker {
 public:
  // Both are borrowed.
  ExpressionMaker(const Grammar& grammar, Choices& choices) : grammar_(grammar), choices_(choices) {}

  std::string Make(const std::string& type, const std::vector<Column>& columns, int depth);
  // A line of that section and type, any type where it is empty; `type` becomes that of what it gives. Empty: none fits.
  std::string MakeOf(const std::string& section, std::string& type, const std::vector<Column>& columns, int depth);
  std::string MakeLiteral(const std::string& type);
  // Subqueries are left out: aggregates of the query around can't stand in them.
  void set_subqueries(bool on) { subqueries_ = on; }

  // Sets the texts that {ORDERED}, {TOTAL} … stand for in [windows].
  void set_windows(std::map<std::string, std::vector<std::string>> windows) { windows_ = std::move(windows); }

 private:
  std::string Leaf(const std::string& type, const std::vector<Column>& columns);
  std::string Expand(const Template& line, const std::string& type, const std::vector<Column>& columns, int depth);
  std::string Placeholder(std::string_view inside, const std::string& type, const std::vector<Column>& columns,
                          int depth, std::map<std::string, std::string>& repeated);
  bool Fits(const Template& line, const std::vector<Column>& columns) const;

  const Grammar& grammar_;
  Choices& choices_;
  bool subqueries_ = true;
  std::map<std::string, std::vector<std::string>> windows_;
};

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_GRAMMAR_H_
