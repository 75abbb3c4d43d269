#include "tests/isolation/query_maker.h"

#include <random>
#include <string>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::isolation {
namespace {

class Maker {
 public:
  Maker(const Catalogue& catalogue, uint64_t seed) : catalogue_(catalogue), random_(seed) {}

  Query Make() {
    Query query;
    const Expression& first = Line();
    const std::string value = Value(first, 2);
    const Place& place = PlaceFor(first.type);
    query.kind = base::StrCat("[random] ", first.text);
    query.place = place.name;
    query.sql = Placed(place, first.type, value);
    return query;
  }

 private:
  size_t Below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }

  // Expressions that fail on own rows are rare, so that most queries have rows to compare.
  const Expression& Line() {
    for (;;) {
      const Expression& line = catalogue_.expressions[Below(catalogue_.expressions.size())];
      if (line.section != "failing" || Chance(10)) return line;
    }
  }
  const Expression& LineOf(const std::string& type) {
    for (;;) {
      const Expression& line = Line();
      if (line.type == type) return line;
    }
  }
  const Place& PlaceFor(const std::string& type) {
    for (;;) {
      const Place& place = catalogue_.places[Below(catalogue_.places.size())];
      if (place.type.empty() || place.type == type) return place;
    }
  }

  std::string Leaf(const Expression& line) { return "(" + OverColumns(line.text, Below(16)) + ")"; }

  // An expression of the line's type that holds the line.
  std::string Value(const Expression& line, int depth) {
    std::string value = Leaf(line);
    if (depth == 0) return value;
    const auto again = [&] { return Value(LineOf(line.type), depth - 1); };
    switch (Below(7)) {
      case 0:
        return base::StrCat("IF(", Condition(depth - 1), ", ", value, ", ", again(), ")");
      case 1:
        return base::StrCat("COALESCE(", value, ", ", again(), ")");
      case 2:
        return base::StrCat("CASE WHEN ", Condition(depth - 1), " THEN ", value, " WHEN ", Condition(depth - 1),
                            " THEN ", again(), " END");
      case 3:
        return base::StrCat("IF(", Condition(depth - 1), ", ", value, ", NULL)");
      case 4:
        return base::StrCat("[", value, ", ", again(), "][SAFE_OFFSET(", Below(2), ")]");
      case 5:
        return base::StrCat("IF(", Condition(depth - 1), " AND ", Condition(depth - 1), ", ", value, ", ", value, ")");
      default:
        return value;
    }
  }

  std::string Condition(int depth) {
    const Expression& line = Line();
    const std::string value = depth > 0 ? Value(line, depth - 1) : Leaf(line);
    switch (Below(line.type == "BOOL" ? 8 : 7)) {
      case 0:
        return base::StrCat("t.part < ", 10 * (1 + Below(9)));
      case 1:
        return base::StrCat("(", value, " IS NULL OR t.part = ", Below(100), ")");
      case 2:
        return base::StrCat("(t.flag AND ", value, " IS NOT NULL)");
      case 3:
        return base::StrCat("NOT (", value, " IS NULL)");
      case 7:
        return value;
      default:
        return value + " IS NOT NULL";
    }
  }

  const Catalogue& catalogue_;
  std::mt19937_64 random_;
};

}  // namespace

Query RandomQuery(const Catalogue& catalogue, uint64_t seed, int64_t number) {
  // Seeds that are near each other do not make queries that are alike: the generator's state is filled from both numbers.
  Query query = Maker(catalogue, seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(number)).Make();
  base::StrAppend(&query.place, ", query ", number, " of seed ", seed);
  return query;
}

}  // namespace logquery::isolation
