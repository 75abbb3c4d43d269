// Makes aggregates with combinators, and windows.
#include "tests/clickhouse_oracle/query_maker_impl.h"

namespace logquery::clickhouse_oracle {

using base::StrCat;

std::string Maker::PlainAggregate(const Source& source) {
  const int depth = static_cast<int>(Below(2));
  const std::string suffix = OneOf({"", "", "", "If", "OrNull", "IfOrNull", "OrNullIf", "OrDefault"});
  const std::string condition = suffix.find("If") == std::string::npos ? "" : ", " + Condition(source, depth);
  const auto call = [&](const std::string& name, const std::string& argument) {
    return StrCat(name, suffix, "(", argument, condition, ")");
  };
  switch (Below(12)) {
    case 0:
      return StrCat("countIf(", Condition(source, depth), ")");
    case 1:
      return call("sum", Int(source, depth));
    case 2:
      return call(OneOf({"min", "max"}), Of(Chance(70) ? ScalarKind() : Kind::kFloat, source, depth));
    case 3:
      return call(OneOf({"avg", "sum"}), Float(source, depth));
    case 4:
      return call(OneOf({"uniqExact", "uniq"}), Of(ScalarKind(), source, depth));
    case 5:
      return StrCat(OneOf({"quantile(0.5)(", "quantile(0.95)(", "median(", "quantileExact(0.9)(", "quantileIf(0.25)("}),
                    Number(source, depth), ")");
    case 6:
      return StrCat("arraySort(groupUniqArray(", Of(ScalarKind(), source, depth), "))");
    case 7:
      return StrCat("arraySort(groupArray", suffix.find("If") == std::string::npos ? "" : "If", "(",
                    Chance(50) ? Int(source, depth) : Text(source, depth), condition, "))");
    case 8:
      // ClickHouse takes any row of those with equal keys.
      if (source.unique.size() != 1) return "count()";
      return StrCat(OneOf({"argMax(", "argMin("}), Of(ScalarKind(), source, depth), ", ", source.unique[0], ")");
    case 9:
      return StrCat(OneOf({"stddevPop(", "varPop(", "stddevSamp(", "varSamp("}), Int(source, 0), ")");
    case 10:
      return StrCat(OneOf({"sumArray(", "maxArray(", "uniqExactArray(", "countArray(", "minArray("}),
                    Ints(source, depth), ")");
    default:
      return StrCat("count(", OneOf({"", "*", "DISTINCT source"}) == "" ? Of(ScalarKind(), source, depth) : "*", ")");
  }
}

std::string Maker::Aggregate(const Source& source) {
  switch (Below(8)) {
    case 0:
      return "count()";
    case 1:
      return StrCat("count(DISTINCT ", Of(ScalarKind(), source, 1), ")");
    case 2:
      return StrCat("round(", PlainAggregate({source.text, {}, source.unique, source.map}), " / count(), 2)")
                         .find("array") == std::string::npos
                 ? StrCat("(countIf(", Condition(source, 1), ") / count())")
                 : "count()";
    case 3:
      return StrCat("if(count() > 3, ", "sum(", Int(source, 1), "), ", IntLiteral(), ")");
    default:
      return PlainAggregate(source);
  }
}

std::string Maker::Window(const Source& source) {
  const std::string partition = Chance(60) ? StrCat("PARTITION BY ", Of(ScalarKind(), source, 1), " ") : "";
  const std::string order = "ORDER BY " + UniqueOrder(source);
  switch (Below(6)) {
    case 0:
      return StrCat(OneOf({"row_number()", "rank()", "dense_rank()"}), " OVER (", partition, order, ")");
    case 1:
      return StrCat(OneOf({"lagInFrame(", "leadInFrame("}), Of(ScalarKind(), source, 1), OneOf({"", ", 1", ", 2"}),
                    ") OVER (", partition, order, " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)");
    case 2:
      return StrCat(OneOf({"sum(", "min(", "max(", "avg("}), Int(source, 1), ") OVER (", partition, order,
                    OneOf({"", " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
                           " ROWS UNBOUNDED PRECEDING"}),
                    ")");
    case 3:
      return StrCat("countIf(", Condition(source, 1), ") OVER (", partition.empty() ? "PARTITION BY 1 " : partition,
                    ")");
    case 4:
      return StrCat("count() OVER (", partition, ")");
    default:
      return StrCat(OneOf({"lag(", "lead("}), Of(ScalarKind(), source, 1), ") OVER (", partition, order, ")");
  }
}

}  // namespace logquery::clickhouse_oracle
