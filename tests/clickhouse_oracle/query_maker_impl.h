// The generator's object. Its files are: query_maker.cc (whole queries), query_maker_from.cc (FROM and subqueries),
// query_maker_numbers.cc, query_maker_texts.cc, query_maker_times.cc (expressions by their type), query_maker_groups.cc
// (aggregates and windows).
#ifndef LOGQUERY_TESTS_CLICKHOUSE_ORACLE_QUERY_MAKER_IMPL_H_
#define LOGQUERY_TESTS_CLICKHOUSE_ORACLE_QUERY_MAKER_IMPL_H_

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "tests/clickhouse_oracle/query_maker.h"

namespace logquery::clickhouse_oracle {

enum class Kind { kInt, kFloat, kText, kTime, kDateTime, kDate, kTexts, kInts };

struct MadeColumn {
  std::string text;  // "a.x0"
  Kind kind;
};

// A FROM clause, as the rest of its SELECT sees it.
struct Source {
  std::string text;  // "logs AS a"
  std::vector<MadeColumn> columns;
  std::vector<std::string> unique;  // no two rows have the same values of these columns
  std::string map;                  // "a.log_attributes"; empty: it has none
  // The source's times may be the default, before which ClickHouse's DateTime and Date wrap around, and ours do not.
  bool has_defaults = false;
};

class Maker {
 public:
  Maker(uint64_t seed, int64_t number);
  Query Make();

 private:
  // query_maker.cc
  Query Rows(const Source& source);
  Query Groups(const Source& source);
  Query Union();
  Query Windows(const Source& source);
  Query Aliases();
  std::string Items(const std::vector<std::string>& values);

  // query_maker_from.cc
  Source From();
  Source Logs(const std::string& alias);
  Source Subquery(const std::string& alias);
  Source Grouped(const std::string& alias);
  Source Joined();
  std::string InSubquery(const Source& source);

  // Expressions. `depth`: how many calls may be around a column or literal.
  std::string Of(Kind kind, const Source& source, int depth);
  std::string Column(Kind kind, const Source& source, const std::string& otherwise);
  static std::string FloatKey(const std::string& value);
  Kind AnyKind();
  Kind ScalarKind();
  std::string Condition(const Source& source, int depth);
  std::string Where(const Source& source);

  // query_maker_numbers.cc
  std::string Int(const Source& source, int depth);
  std::string IntLiteral();
  std::string Float(const Source& source, int depth);
  std::string Ints(const Source& source, int depth);
  std::string Number(const Source& source, int depth);

  // query_maker_texts.cc
  std::string Text(const Source& source, int depth);
  std::string TextLiteral();
  std::string Attribute(const Source& source);
  std::string Texts(const Source& source, int depth);
  std::string TextCondition(const Source& source, int depth);

  // query_maker_times.cc
  std::string Time(const Source& source, int depth);
  std::string DateTime(const Source& source, int depth);
  std::string Date(const Source& source, int depth);
  std::string AnyTime(const Source& source, int depth);
  std::string Interval();
  std::string Unit();

  // query_maker_groups.cc
  std::string Aggregate(const Source& source);
  std::string PlainAggregate(const Source& source);
  std::string Window(const Source& source);

  size_t Below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }
  std::string OneOf(std::initializer_list<const char*> texts) { return texts.begin()[Below(texts.size())]; }
  std::string UniqueOrder(const Source& source) {
    std::vector<std::string> keys;
    for (const std::string& key : source.unique) keys.push_back(key + (Chance(30) ? " DESC" : ""));
    return base::Join(keys, ", ");
  }

  std::mt19937_64 random_;
};

}  // namespace logquery::clickhouse_oracle

#endif  // LOGQUERY_TESTS_CLICKHOUSE_ORACLE_QUERY_MAKER_IMPL_H_
