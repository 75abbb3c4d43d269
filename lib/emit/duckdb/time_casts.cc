// Dates and times from text and to text.
//
// Source: GoogleSQL's conversion rules: YYYY-[M]M-[D]D, [H]H:[M]M:[S]S[.F…], with a `T`, `t` or space between, and for a
// TIMESTAMP an offset, `Z` or a zone's name. Fractions are printed with no, 3 or 6 digits.
#include "lib/emit/duckdb/casts.h"

namespace logquery::emit {
namespace {

constexpr std::string_view kDate = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}";
constexpr std::string_view kTime = "[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]{0,9})?";
constexpr std::string_view kZone = " ?([Zz]|[+-][0-9]{1,2}(:[0-9]{2})?)| [A-Za-z][A-Za-z0-9_+/-]*";

std::string Matches(const std::string& x, std::string_view pattern) {
  return StrCat("regexp_full_match(", x, ", '", pattern, "')");
}

std::string CivilPattern() { return StrCat(kDate, "([ Tt]", kTime, ")?"); }

// What DuckDB's own cast would take besides is refused: "infinity", "epoch", years BC, slashes.
std::string Guarded(const std::string& condition, const std::string& sql, std::string_view what, std::string_view form,
                    const std::string& x) {
  return StrCat("CASE WHEN ", condition, " THEN ", sql, " WHEN ", x, " IS NOT NULL THEN ",
                ErrorText(StrCat("'Invalid ", what, ": \"' || ", x, " || '\"; the form is ", form, "'")), " END");
}

// In DuckDB an offset has two digits of hours, and nothing before it.
std::string WithZone(const std::string& x) {
  const std::string spaced = StrCat("regexp_replace(", x, ", ' ?([+-])([0-9]{1,2}(:[0-9]{2})?)$', '\\1\\2')");
  const std::string padded = StrCat("regexp_replace(", spaced, ", '([+-])([0-9](:[0-9]{2})?)$', '\\10\\2')");
  return StrCat("timezone('UTC', CAST(upper(", padded, ") AS TIMESTAMPTZ))");
}

std::string Fraction(const std::string& time, std::string_view form) {
  const std::string micros = StrCat("epoch_us(", time, ")");
  return StrCat("CASE WHEN ", micros, " % 1000000 = 0 THEN strftime(", time, ", '", form, "') WHEN ", micros,
                " % 1000 = 0 THEN strftime(", time, ", '", form, ".%g') ELSE strftime(", time, ", '", form,
                ".%f') END");
}

// "+00", "-03:30": how far `local` is ahead.
std::string OffsetOf(const std::string& local, const std::string& timestamp) {
  const std::string minutes = StrCat("((epoch_us(", local, ") - epoch_us(", timestamp, ")) // 60000000)");
  return Once({minutes}, [](const Texts& a) {
    return StrCat("(CASE WHEN ", a[0], " < 0 THEN '-' ELSE '+' END || lpad(CAST(abs(", a[0],
                  ") // 60 AS VARCHAR), 2, '0') || CASE WHEN ", a[0], " % 60 = 0 THEN '' ELSE ':' || lpad(CAST(abs(",
                  a[0], ") % 60 AS VARCHAR), 2, '0') END)");
  });
}

}  // namespace

std::string DuckDbTextToTime(TypeKind to, const std::string& x, const CastZone& zone) {
  if (to == TypeKind::kDate) {
    return Guarded(Matches(x, kDate), StrCat("CAST(", x, " AS DATE)"), "date", "YYYY-MM-DD", x);
  }
  if (to == TypeKind::kTime) {
    return Guarded(Matches(x, kTime), StrCat("lq_time_of_text(", x, ")"), "time", "HH:MM:SS[.F]", x);
  }
  const std::string civil = StrCat("lq_datetime_of_text(", x, ")");
  if (to == TypeKind::kDatetime)
    return Guarded(Matches(x, CivilPattern()), civil, "datetime", "YYYY-MM-DD[ HH:MM:SS[.F]]", x);
  const std::string zoned = Guarded(Matches(x, StrCat(CivilPattern(), "(", kZone, ")")), WithZone(x), "timestamp",
                                    "YYYY-MM-DD[ HH:MM:SS[.F]] with or without an offset or a zone", x);
  return StrCat("CASE WHEN ", Matches(x, CivilPattern()), " THEN ", zone.FromLocal(civil), " ELSE ", zoned, " END");
}

std::string DuckDbTimeToText(TypeKind from, const std::string& x, const CastZone& zone) {
  if (from == TypeKind::kTime) {
    return Once({StrCat("(DATE '2000-01-01' + ", x, ")")}, [](const Texts& a) { return Fraction(a[0], "%H:%M:%S"); });
  }
  if (from == TypeKind::kDatetime) return Fraction(x, "%Y-%m-%d %H:%M:%S");
  if (zone.call == nullptr) return StrCat("(", Fraction(x, "%Y-%m-%d %H:%M:%S"), " || '+00')");
  return Once({zone.ToLocal(x), x}, [](const Texts& a) {
    return StrCat("(", Fraction(a[0], "%Y-%m-%d %H:%M:%S"), " || ", OffsetOf(a[0], a[1]), ")");
  });
}

std::string DuckDbIntervalToText(const std::string& x) {
  auto part = [&](std::string_view name) { return StrCat("datepart('", name, "', ", x, ")"); };
  const std::string months = StrCat("(12 * ", part("year"), " + ", part("month"), ")");
  const std::string micros =
      StrCat("(3600000000 * ", part("hour"), " + 60000000 * ", part("minute"), " + ", part("microsecond"), ")");
  return Once({months, part("day"), micros}, [](const Texts& a) {
    auto sign = [](const std::string& number) { return StrCat("CASE WHEN ", number, " < 0 THEN '-' ELSE '' END"); };
    auto digits = [](const std::string& number, std::string_view of) {
      return StrCat("CAST(abs(", number, ") ", of, " AS VARCHAR)");
    };
    auto fraction = [&](std::string_view of, int places) {
      return StrCat("'.' || lpad(", digits(a[2], of), ", ", places, ", '0')");
    };
    return StrCat("(", sign(a[0]), " || ", digits(a[0], "// 12"), " || '-' || ", digits(a[0], "% 12"), " || ' ' || ",
                  "CAST(", a[1], " AS VARCHAR) || ' ' || ", sign(a[2]), " || ", digits(a[2], "// 3600000000"),
                  " || ':' || ", digits(a[2], "// 60000000 % 60"), " || ':' || ", digits(a[2], "// 1000000 % 60"),
                  " || CASE WHEN ", a[2], " % 1000000 = 0 THEN '' WHEN ", a[2], " % 1000 = 0 THEN ",
                  fraction("// 1000 % 1000", 3), " ELSE ", fraction("% 1000000", 6), " END)");
  });
}

}  // namespace logquery::emit
