// Makes aggregates and windows.
#include "tests/oracle/query_maker_impl.h"

namespace logquery::oracle {

std::string Maker::AggregateOf(Kind kind, const Source& source) {
  const std::string column = Column(kind, source);
  switch (kind) {
    case Kind::kInt64:
      switch (Below(6)) {
        case 0:
          return "COUNT(*)";
        case 1:
          return base::StrCat("COUNT(", OneOf({"", "DISTINCT "}), Column(AnyKind(), source), ")");
        case 2:
          return base::StrCat("SUM(", OneOf({"", "", "DISTINCT "}), column, ")");
        case 3:
          return base::StrCat("COUNTIF(", Column(Kind::kBool, source), ")");
        default:
          return base::StrCat(OneOf({"MIN(", "MAX("}), column, ")");
      }
    case Kind::kString:
      if (Chance(30)) return base::StrCat("STRING_AGG(", column, ", '|' ", OrderByUnique(source), ")");
      return base::StrCat(OneOf({"MIN(", "MAX("}), column, ")");
    case Kind::kBool:
      return base::StrCat(OneOf({"LOGICAL_OR(", "LOGICAL_AND("}), column, ")");
    case Kind::kFloat64:
      if (Chance(30)) return base::StrCat("AVG(", Column(Kind::kInt64, source), ")");
      return base::StrCat(OneOf({"MIN(", "MAX("}), column, ")");
    case Kind::kTimestamp:
      return base::StrCat(OneOf({"MIN(", "MAX("}), column, ")");
  }
  return "";
}

std::string Maker::Aggregate(const Source& source, const Outer& outer, int nesting, int loops) {
  switch (Below(8)) {
    case 0:
      return base::StrCat("ARRAY_AGG(", Column(AnyKind(), source), " IGNORE NULLS ", OrderByUnique(source),
                          Chance(60) ? " LIMIT 3" : "", ")");
    case 1:
      return base::StrCat("APPROX_QUANTILES(", Column(Kind::kInt64, source), ", 4)");
    case 2:
      return base::StrCat("COUNTIF(", Condition(source, outer, nesting, loops), ")");
    case 3:
      return base::StrCat("LOGICAL_OR(", Condition(source, outer, nesting, loops), ")");
    default:
      return AggregateOf(AnyKind(), source);
  }
}

std::string Maker::Offset() {
  return OneOf({"0", "1", "2", "5", "1000", "9223372036854775807", "9223372036854775806"});
}

// Makes a frame with both bounds in the order that GoogleSQL wants.
std::string Maker::Frame() {
  const size_t start = Below(4);
  const std::string starts[] = {"UNBOUNDED PRECEDING", Offset() + " PRECEDING", "CURRENT ROW", Offset() + " FOLLOWING"};
  const std::string ends[] = {Offset() + " PRECEDING", "CURRENT ROW", Offset() + " FOLLOWING", "UNBOUNDED FOLLOWING"};
  const size_t first_end = start <= 1 ? 0 : start == 2 ? 1 : 2;
  return base::StrCat("BETWEEN ", starts[start], " AND ", ends[first_end + Below(4 - first_end)]);
}

std::string Maker::Window(const Source& source) {
  const std::string partition = Chance(60) ? "PARTITION BY " + Column(PartitionKind(), source) + " " : "";
  const std::string order = Column(AnyKind(), source) + OneOf({"", " DESC", " NULLS LAST", " DESC NULLS FIRST"});
  const std::string ordered = base::StrCat("(", partition, "ORDER BY ", order, ", ", base::Join(source.unique, ", "));
  const std::string any = Column(AnyKind(), source);
  switch (Below(10)) {
    case 0:
      return base::StrCat("ROW_NUMBER() OVER ", ordered, ")");
    case 1:  // peers have one value
      return base::StrCat(OneOf({"RANK()", "DENSE_RANK()", "CUME_DIST()"}), " OVER (", partition, "ORDER BY ", order,
                          ")");
    case 2:
      return base::StrCat(OneOf({"LAG(", "LEAD("}), any, ", ", Below(4), ") OVER ", ordered, ")");
    case 3:
      return base::StrCat(OneOf({"FIRST_VALUE(", "LAST_VALUE("}), any, OneOf({")", " IGNORE NULLS)"}), " OVER ",
                          ordered, " ROWS ", Frame(), ")");
    case 4:
      return base::StrCat("NTH_VALUE(", any, ", ", 1 + Below(3), ") OVER ", ordered, " ROWS ", Frame(), ")");
    case 5:
    case 8:  // a frame of one row needs no order
      return base::StrCat(OneOf({"FIRST_VALUE(", "FIRST_VALUE(", "LAST_VALUE(", "MAX("}), any, ") OVER (",
                          Chance(80) ? "" : partition, "ROWS BETWEEN CURRENT ROW AND CURRENT ROW)");
    case 6: {  // offsets of a RANGE
      const Kind kind = Chance(50) ? Kind::kInt64 : Kind::kFloat64;
      const auto offset = [&] { return OneOf({"0", "1", "2", "5", "1000"}); };
      const std::string bounds[] = {base::StrCat("BETWEEN ", offset(), " PRECEDING AND ", offset(), " FOLLOWING"),
                                    base::StrCat("BETWEEN UNBOUNDED PRECEDING AND ", offset(), " PRECEDING"),
                                    base::StrCat("BETWEEN ", offset(), " FOLLOWING AND UNBOUNDED FOLLOWING"),
                                    "BETWEEN CURRENT ROW AND 2 FOLLOWING", "BETWEEN 3 PRECEDING AND 1 PRECEDING"};
      return base::StrCat(OneOf({"COUNT(", "MIN(", "MAX("}), any, ") OVER (", partition, "ORDER BY ",
                          Column(kind, source), OneOf({"", " DESC"}), " RANGE ", bounds[Below(5)], ")");
    }
    case 7:
      return base::StrCat(AggregateOf(AnyKind(), source), " OVER (", partition, ")");
    default:
      return base::StrCat(
          Chance(30) ? "COUNT(*)" : OneOf({"SUM(", "MIN(", "MAX(", "COUNT("}) + Column(Kind::kInt64, source) + ")",
          " OVER ", ordered, " ROWS ", Frame(), ")");
  }
}

}  // namespace logquery::oracle
