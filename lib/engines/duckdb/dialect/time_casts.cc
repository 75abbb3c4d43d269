// Converts dates and times from and to text.
//
// Source: GoogleSQL's conversion rules. The text is YYYY-[M]M-[D]D, then `T`, `t` or a space, then [H]H:[M]M:[S]S[.F…];
// a TIMESTAMP may also have an offset, `Z` or a zone name. Fractions are printed with 0, 3 or 6 digits.
#include "lib/engines/duckdb/dialect/casts.h"

namespace logquery::emit {
namespace {

constexpr std::string_view kDate = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}";
constexpr std::string_view kTime = "[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]{0,9})?";
constexpr std::string_view kZone = " ?([Zz]|[+-][0-9]{1,2}(:[0-9]{2})?)| [A-Za-z][A-Za-z0-9_+/-]*";

Sql Matches(const Sql& x, std::string_view pattern) { return Cat("regexp_full_match(", x, ", '", pattern, "')"); }

std::string CivilPattern() { return StrCat(kDate, "([ Tt]", kTime, ")?"); }

// Rejects other forms that DuckDB's own cast would accept: "infinity", "epoch", years BC, slashes.
Sql Guarded(const Sql& condition, const Sql& sql, std::string_view what, std::string_view form, const Sql& x) {
  return Cat("CASE WHEN ", condition, " THEN ", sql, " WHEN ", x, " IS NOT NULL THEN ",
             ErrorText(Cat("'Invalid ", what, ": \"' || ", x, " || '\"; the form is ", form, "'")), " END");
}

Sql Fraction(const Sql& time, std::string_view form) {
  const Sql micros = Cat("epoch_us(", time, ")");
  return Cat("CASE WHEN ", micros, " % 1000000 = 0 THEN strftime(", time, ", '", form, "') WHEN ", micros,
             " % 1000 = 0 THEN strftime(", time, ", '", form, ".%g') ELSE strftime(", time, ", '", form, ".%f') END");
}

// "+00", "-03:30": how far `local` is ahead.
Sql OffsetOf(const Sql& local, const Sql& timestamp) {
  const Sql minutes = Cat("((epoch_us(", local, ") - epoch_us(", timestamp, ")) // 60000000)");
  return Once({minutes}, [](const Texts& a) {
    return Cat("(CASE WHEN ", a[0], " < 0 THEN '-' ELSE '+' END || lpad(CAST(abs(", a[0],
               ") // 60 AS VARCHAR), 2, '0') || CASE WHEN ", a[0], " % 60 = 0 THEN '' ELSE ':' || lpad(CAST(abs(", a[0],
               ") % 60 AS VARCHAR), 2, '0') END)");
  });
}

}  // namespace

Sql DuckDbTextToTime(TypeKind to, const Sql& x, const CastZone& zone) {
  if (to == TypeKind::kDate) {
    return Guarded(Matches(x, kDate), Cat("CAST(", x, " AS DATE)"), "date", "YYYY-MM-DD", x);
  }
  if (to == TypeKind::kTime) {
    return Guarded(Matches(x, kTime), Cat("lq_time_of_text(", x, ")"), "time", "HH:MM:SS[.F]", x);
  }
  const Sql civil = Cat("lq_datetime_of_text(", x, ")");
  if (to == TypeKind::kDatetime)
    return Guarded(Matches(x, CivilPattern()), civil, "datetime", "YYYY-MM-DD[ HH:MM:SS[.F]]", x);
  const Sql zoned = Guarded(Matches(x, StrCat(CivilPattern(), "(", kZone, ")")), Cat("lq_timestamp_of_text(", x, ")"),
                            "timestamp", "YYYY-MM-DD[ HH:MM:SS[.F]] with or without an offset or a zone", x);
  return Cat("CASE WHEN ", Matches(x, CivilPattern()), " THEN ", zone.FromLocal(civil), " ELSE ", zoned, " END");
}

Sql DuckDbTimeToText(TypeKind from, const Sql& x, const CastZone& zone) {
  if (from == TypeKind::kTime) {
    return Once({Cat("(DATE '2000-01-01' + ", x, ")")}, [](const Texts& a) { return Fraction(a[0], "%H:%M:%S"); });
  }
  if (from == TypeKind::kDatetime) return Fraction(x, "%Y-%m-%d %H:%M:%S");
  if (zone.call == nullptr) return Concatenation(Cat("(", Fraction(x, "%Y-%m-%d %H:%M:%S"), " || '+00')"));
  return Once({zone.ToLocalInRange(x), x}, [](const Texts& a) {
    return Concatenation(Cat("(", Fraction(a[0], "%Y-%m-%d %H:%M:%S"), " || ", OffsetOf(a[0], a[1]), ")"));
  });
}

Sql DuckDbIntervalToText(const Sql& x) {
  auto part = [&](std::string_view name) { return Cat("datepart('", name, "', ", x, ")"); };
  const Sql months = Cat("(12 * ", part("year"), " + ", part("month"), ")");
  const Sql micros =
      Cat("(3600000000 * ", part("hour"), " + 60000000 * ", part("minute"), " + ", part("microsecond"), ")");
  return Once({months, part("day"), micros}, [](const Texts& a) {
    auto sign = [](const Sql& number) { return Cat("CASE WHEN ", number, " < 0 THEN '-' ELSE '' END"); };
    auto digits = [](const Sql& number, std::string_view of) {
      return Cat("CAST(abs(", number, ") ", of, " AS VARCHAR)");
    };
    auto fraction = [&](std::string_view of, int places) {
      return Cat("'.' || lpad(", digits(a[2], of), ", ", places, ", '0')");
    };
    return Cat("(", sign(a[0]), " || ", digits(a[0], "// 12"), " || '-' || ", digits(a[0], "% 12"), " || ' ' || ",
               "CAST(", a[1], " AS VARCHAR) || ' ' || ", sign(a[2]), " || ", digits(a[2], "// 3600000000"),
               " || ':' || ", digits(a[2], "// 60000000 % 60"), " || ':' || ", digits(a[2], "// 1000000 % 60"),
               " || CASE WHEN ", a[2], " % 1000000 = 0 THEN '' WHEN ", a[2], " % 1000 = 0 THEN ",
               fraction("// 1000 % 1000", 3), " ELSE ", fraction("% 1000000", 6), " END)");
  });
}

}  // namespace logquery::emit
