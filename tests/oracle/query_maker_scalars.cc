// Makes expressions and conditions.
#include <algorithm>

#include "tests/oracle/query_maker_impl.h"

namespace logquery::oracle {

std::string Maker::Literal(Kind kind) {
  switch (kind) {
    case Kind::kInt64:
      return base::StrCat(static_cast<int64_t>(Below(12)) - 2);
    case Kind::kString:
      return OneOf({"'a'", "'b'", "'cc'", "''", "'zz'"});
    case Kind::kBool:
      return OneOf({"TRUE", "FALSE"});
    case Kind::kFloat64:
      return OneOf({"0.5", "-1.5", "2.0", "4.0"});
    case Kind::kTimestamp:
      return base::StrCat("TIMESTAMP '2026-03-02 00:0", Below(6), ":00+00'");
  }
  return "";
}

// A column of the kind; a literal where there is none.
std::string Maker::Column(Kind kind, const Source& source) {
  std::vector<std::string> fitting;
  for (const MadeColumn& column : source.columns) {
    if (column.kind == kind) fitting.push_back(column.text);
  }
  return fitting.empty() ? Literal(kind) : fitting[Below(fitting.size())];
}

std::string Maker::Scalar(Kind kind, const Source& source, const Outer& outer, int nesting, int loops) {
  const auto column = [&] { return Column(kind, outer.empty() || Chance(70) ? source : *outer[Below(outer.size())]); };
  if (nesting > 0 && Chance(25)) return ScalarSubquery(kind, source, outer, nesting - 1, loops);
  switch (Below(9)) {
    case 0:
      return Literal(kind);
    case 1:
      return base::StrCat("COALESCE(", column(), ", ", Literal(kind), ")");
    case 2:
      return base::StrCat("IF(", Condition(source, outer, 0, loops), ", ", column(), ", ", column(), ")");
    case 3:
      return base::StrCat("CASE WHEN ", Condition(source, outer, 0, loops), " THEN ", column(), " END");
    case 4:
      if (kind == Kind::kInt64) return base::StrCat("(", column(), OneOf({" + ", " - ", " * "}), Literal(kind), ")");
      if (kind == Kind::kFloat64) return base::StrCat("(", column(), " + ", Literal(kind), ")");
      if (kind == Kind::kString) return base::StrCat("CONCAT(", column(), ", ", Literal(kind), ")");
      if (kind == Kind::kBool) return base::StrCat("(", Condition(source, outer, nesting, loops), ")");
      return column();
    case 5:
      if (kind == Kind::kInt64) return base::StrCat("MOD(", column(), ", 3)");
      return base::StrCat("NULLIF(", column(), ", ", Literal(kind), ")");
    default:
      return column();
  }
}

// A comparison of the source's own column with one around it: what makes a subquery correlated.
std::string Maker::Correlation(const Source& source, const Outer& outer) {
  const Kind kind = Chance(60) ? Kind::kInt64 : AnyKind();
  std::string own = Column(kind, source);
  std::string other = Column(kind, *outer[Chance(70) ? outer.size() - 1 : Below(outer.size())]);
  if (kind == Kind::kInt64 && Chance(15)) base::StrAppend(&other, " + ", Below(3));
  if (Chance(30)) std::swap(own, other);
  const std::string op = OneOf(
      {" = ", " = ", " != ", " != ", " < ", " <= ", " > ", " >= ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM "});
  if (Chance(10)) return base::StrCat("NOT (", own, op, other, ")");
  return own + op + other;
}

std::string Maker::Condition(const Source& source, const Outer& outer, int nesting, int loops) {
  if (nesting > 0 && Chance(45)) {
    switch (Below(5)) {
      case 0:
      case 1:
        return Exists(source, outer, nesting - 1, loops);
      case 2:
        return "NOT " + Exists(source, outer, nesting - 1, loops);
      case 3:
        return In(source, outer, nesting - 1, loops);
      default: {
        const Kind kind = AnyKind();
        return base::StrCat(Column(kind, source), OneOf({" = ", " < ", " != ", " >= "}),
                            ScalarSubquery(kind, source, outer, nesting - 1, loops));
      }
    }
  }
  if (!outer.empty() && Chance(50)) return Correlation(source, outer);
  const Kind kind = AnyKind();
  const std::string column = Column(kind, source);
  switch (Below(9)) {
    case 0:
      return base::StrCat(column, " IS ", OneOf({"", "NOT "}), "NULL");
    case 1:
      return base::StrCat(column, OneOf({" IN (", " NOT IN ("}), Literal(kind), ", ", Literal(kind),
                          Chance(15) ? ", NULL)" : ")");
    case 2:
      return base::StrCat(column, " BETWEEN ", Literal(kind), " AND ", Literal(kind));
    case 3:
      return base::StrCat("(", Condition(source, outer, nesting, loops), " OR ",
                          Condition(source, outer, nesting, loops), ")");
    case 4:
      return base::StrCat("NOT (", Condition(source, outer, nesting, loops), ")");
    case 5:
      return base::StrCat(column, OneOf({" = ", " != ", " < ", " IS DISTINCT FROM "}), Column(kind, source));
    case 6:
      return base::StrCat("(", Condition(source, outer, 0, loops), ") IS ", OneOf({"", "NOT "}),
                          OneOf({"TRUE", "FALSE"}));
    default:
      return base::StrCat(column, OneOf({" = ", " != ", " < ", " <= ", " > ", " >= "}), Literal(kind));
  }
}

// Comparisons of columns with those of the query around, and nothing else: engines take these for joins.
std::string Maker::Correlations(const Source& source, const Source& around) {
  std::vector<std::string> conjuncts;
  const size_t count = 1 + Below(3);
  for (size_t i = 0; i < count; ++i) {
    const Kind kind = kAllKinds[std::initializer_list<size_t>{0, 0, 0, 1, 4}.begin()[Below(5)]];
    std::string own = Column(kind, source), other = Column(kind, around);
    if (Chance(30)) std::swap(own, other);
    conjuncts.push_back(own + OneOf({" = ", " != ", " != ", " < ", " < ", " >= ", " IS DISTINCT FROM "}) + other);
  }
  return base::Join(conjuncts, " AND ");
}

std::string Maker::Where(const Source& source, const Outer& outer, int nesting, int loops) {
  if (!outer.empty() && Chance(35)) return Correlations(source, *outer.back());
  std::vector<std::string> conjuncts;
  const size_t count = 1 + Below(outer.empty() ? 2 : 3);
  for (size_t i = 0; i < count; ++i) {
    const bool correlates = !outer.empty() && (i == 0 || Chance(50));
    conjuncts.push_back(correlates && !(nesting > 0 && Chance(30)) ? Correlation(source, outer)
                                                                   : Condition(source, outer, nesting, loops));
  }
  return base::Join(conjuncts, " AND ");
}

}  // namespace logquery::oracle
