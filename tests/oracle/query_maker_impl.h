// The generator's object. Its files are: query_maker.cc (whole queries), query_maker_from.cc (FROM and subqueries),
// query_maker_scalars.cc (expressions and conditions), query_maker_windows.cc (aggregates and windows).
#ifndef LOGQUERY_TESTS_ORACLE_QUERY_MAKER_IMPL_H_
#define LOGQUERY_TESTS_ORACLE_QUERY_MAKER_IMPL_H_

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "tests/oracle/query_maker.h"

namespace logquery::oracle {

// The types of the log's columns.
enum class Kind { kInt64, kString, kBool, kFloat64, kTimestamp };
inline constexpr Kind kAllKinds[] = {Kind::kInt64, Kind::kString, Kind::kBool, Kind::kFloat64, Kind::kTimestamp};

struct MadeColumn {
  std::string text;  // "a.k"
  Kind kind;
};

// A FROM clause, as the rest of its SELECT sees it.
struct Source {
  std::string text;  // "logs AS a"
  std::vector<MadeColumn> columns;
  std::vector<std::string> unique;  // columns that no two rows have the same values of
  std::vector<std::string> arrays;  // columns of ARRAY<INT64>
};

class Maker {
 public:
  Maker(uint64_t seed, int64_t number, int64_t work);
  Query Make();

 private:
  using Outer = std::vector<const Source*>;

  // query_maker.cc
  std::string Body();
  std::string EntryBody();
  std::string RowsBody();
  std::string GroupsBody();
  std::string WindowsBody();
  std::string SetBody();
  int64_t Rows() const;

  // query_maker_from.cc. `loops` is how many loops are around the SELECT; `nesting` how many subqueries it may hold.
  Source From(const Outer& outer, int nesting, int& loops);
  Source Log(int& loops);
  Source Entry();
  Source Derived(const Outer& outer, int& loops);
  Source Grouped(const Outer& outer, int& loops);
  Source Elements(const std::string& array);
  Source Joined(const Outer& outer, Source left, int& loops);
  std::string Exists(const Source& source, const Outer& outer, int nesting, int loops);
  std::string In(const Source& source, const Outer& outer, int nesting, int loops);
  std::string ScalarSubquery(Kind kind, const Source& source, const Outer& outer, int nesting, int loops);
  std::string ArraySubquery(const Source& source, const Outer& outer, int nesting, int loops);

  // query_maker_scalars.cc
  std::string Column(Kind kind, const Source& source);
  std::string Literal(Kind kind);
  std::string Scalar(Kind kind, const Source& source, const Outer& outer, int nesting, int loops);
  std::string Correlation(const Source& source, const Outer& outer);
  std::string Correlations(const Source& source, const Source& around);
  std::string Condition(const Source& source, const Outer& outer, int nesting, int loops);
  std::string Where(const Source& source, const Outer& outer, int nesting, int loops);
  Kind AnyKind() { return kAllKinds[Below(5)]; }
  // FLOAT64 can't be a key of PARTITION BY.
  Kind PartitionKind() { return kAllKinds[std::initializer_list<size_t>{0, 0, 1, 2, 4}.begin()[Below(5)]]; }

  // query_maker_windows.cc
  std::string Aggregate(const Source& source, const Outer& outer, int nesting, int loops);
  std::string AggregateOf(Kind kind, const Source& source);
  std::string Window(const Source& source);
  std::string Frame();
  std::string Offset();

  size_t Below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }
  std::string OneOf(std::initializer_list<const char*> texts) { return texts.begin()[Below(texts.size())]; }
  std::string NewAlias() { return base::StrCat("t", ++aliases_); }
  Outer With(const Outer& outer, const Source& source) {
    Outer more = outer;
    more.push_back(&source);
    return more;
  }
  std::string OrderByUnique(const Source& source) { return "ORDER BY " + base::Join(source.unique, ", "); }
  void Count(int loops) { deepest_ = std::max(deepest_, loops); }

  std::mt19937_64 random_;
  const int64_t work_;
  int aliases_ = 0;
  int deepest_ = 0;  // loops within each other
  bool is_windowed_ = false;
  bool has_entry_ = false;  // `few`, a WITH entry over some of the rows
};

}  // namespace logquery::oracle

#endif  // LOGQUERY_TESTS_ORACLE_QUERY_MAKER_IMPL_H_
