// Makes expressions of texts, conditions on them, and lists of texts.
#include "tests/clickhouse_oracle/query_maker_impl.h"

namespace logquery::clickhouse_oracle {

using base::StrCat;

std::string Maker::TextLiteral() {
  return OneOf({"'a'", "''", "'GET'", "'/'", "'x'", "'200'", "'ab'", "'ü'", "'error'", "'12'", "'edge_logs'", "'true'",
                "'1'", "'WARNING'"});
}

std::string Maker::Attribute(const Source& source) {
  if (source.map.empty()) return TextLiteral();
  const std::string key = OneOf({"n",
                                 "n",
                                 "f",
                                 "f",
                                 "b",
                                 "s",
                                 "s",
                                 "status",
                                 "status",
                                 "request.path",
                                 "request.method",
                                 "request.url",
                                 "response.status_code",
                                 "response.took",
                                 "response.cached",
                                 "level",
                                 "path",
                                 "msg",
                                 "a.b",
                                 "tags",
                                 "nums",
                                 "nothing",
                                 "project"});
  // A computed key reads the whole map.
  if (Chance(5)) return StrCat(source.map, "[concat('", key, "', '')]");
  return StrCat(source.map, "['", key, "']");
}

std::string Maker::Text(const Source& source, int depth) {
  if (depth <= 0) {
    if (Chance(10)) return TextLiteral();
    return Chance(60) ? Attribute(source) : Column(Kind::kText, source, TextLiteral());
  }
  const auto inner = [&] { return Text(source, depth - 1); };
  switch (Below(22)) {
    case 0:
      return StrCat(OneOf({"lower(", "upper(", "lowerUTF8(", "upperUTF8("}), inner(), ")");
    case 1:
      return Chance(50) ? StrCat("concat(", inner(), ", ", inner(), ")") : StrCat("(", inner(), " || ", inner(), ")");
    case 2:
      // Positions of bytes inside of characters are looked at by tests of their own. Where a text is shorter than the
      // position from its end, ClickHouse counts the length from another place if some text of the block is not ASCII.
      return StrCat("substringUTF8(", inner(), ", ", OneOf({"1, 3", "2", "-3", "1, 2", "3, 100", "-10"}), ")");
    case 3:
      return StrCat("substring(toString(", Int(source, depth - 1), "), ",
                    OneOf({"1, 3", "2", "-3", "-3, 2", "3, 100", "-10, 8"}), ")");
    case 4:
      return StrCat("replaceAll(", inner(), ", ", OneOf({"'a', 'b'", "'/', ''", "'x', 'xx'", "'ü', 'u'"}), ")");
    case 5:
      return StrCat(OneOf({"replaceRegexpOne(", "replaceRegexpAll("}), inner(), ", ",
                    OneOf({"'[0-9]+', '#'", "'(a)(.)', '\\\\2\\\\1'", "'^/', ''", "'e.', '<\\\\0>'"}), ")");
    case 6:
      return StrCat("extract(", inner(), ", ", OneOf({"'[0-9]+'", "'/([a-z]+)'", "'x=(.)'", "'^(a|b)'"}), ")");
    case 7:
      return StrCat(OneOf({"trim(", "trimLeft(", "trimRight("}), inner(), ")");
    case 8:
      return StrCat("toString(", Int(source, depth - 1), ")");
    case 9:
      return StrCat("toString(", Chance(50) ? Float(source, depth - 1) : AnyTime(source, depth - 1), ")");
    case 10:
      return StrCat("if(", Condition(source, depth - 1), ", ", inner(), ", ", inner(), ")");
    case 11:
      return StrCat("multiIf(", Condition(source, 0), ", ", inner(), ", ", Condition(source, 0), ", ", TextLiteral(),
                    ", ", inner(), ")");
    case 12:
      return StrCat("coalesce(nullIf(", inner(), ", ", TextLiteral(), "), ", inner(), ")");
    case 13:
      return StrCat("nullIf(", inner(), ", ", TextLiteral(), ")");
    case 14:
      return StrCat(Texts(source, depth - 1), "[", OneOf({"1", "2", "-1", "9"}), "]");
    case 15:
      return StrCat("arrayStringConcat(", Texts(source, depth - 1), ", '-')");
    case 16:
      return StrCat(OneOf({"path(", "domain(", "queryString(", "protocol(", "cutQueryString(", "domainWithoutWWW("}),
                    inner(), ")");
    case 17:
      return StrCat(OneOf({"JSONExtractString(", "JSONExtractRaw("}), inner(), ", ",
                    OneOf({"'n'", "'s'", "'l'", "'l', 3", "'nothing'"}), ")");
    case 18:
      return StrCat("formatDateTime(", DateTime(source, depth - 1), ", ",
                    OneOf({"'%Y-%m-%d'", "'%H:%i:%S'", "'%F %T'", "'%M %j'"}), ")");
    case 19:
      return StrCat("CASE WHEN ", Condition(source, 0), " THEN ", inner(), Chance(60) ? " ELSE " + inner() : "",
                    " END");
    case 20:
      return StrCat("CASE ", inner(), " WHEN ", TextLiteral(), " THEN ", inner(), " ELSE ", TextLiteral(), " END");
    default:
      return Chance(50) ? StrCat("extractURLParameter(", inner(), OneOf({", 'x')", ", 'a')"}))
                        : StrCat("replaceOne(", inner(), OneOf({", 'x', '-')", ", 'a', 'bb')"}));
  }
}

std::string Maker::TextCondition(const Source& source, int depth) {
  const std::string text = Text(source, depth);
  switch (Below(10)) {
    case 0:
    case 1:
    case 2:
      return StrCat(text, " ", OneOf({"=", "!=", "<", ">=", "="}), " ",
                    Chance(80) ? TextLiteral() : Text(source, depth));
    case 3:
      return StrCat(text, OneOf({" IN (", " NOT IN ("}), TextLiteral(), ", ", TextLiteral(), ", ", TextLiteral(), ")");
    case 4:
      return StrCat(text, OneOf({" LIKE ", " NOT LIKE ", " ILIKE ", " NOT ILIKE "}),
                    OneOf({"'%a%'", "'a_'", "'%ROW%'", "'%\\\\%%'", "'_rror'", "'%Ä%'"}));
    case 5:
      return StrCat("match(", text, ", ", OneOf({"'^[0-9]+$'", "'o.e'", "'(?i)ERROR'", "'two$'"}), ")");
    case 6:
      return StrCat(OneOf({"startsWith(", "endsWith("}), text, ", ", TextLiteral(), ")");
    case 7:
      return StrCat(OneOf({"empty(", "notEmpty("}), text, ")");
    case 8:
      if (!source.map.empty())
        return StrCat("mapContains(", source.map, ", ", OneOf({"'n'", "'status'", "'a.b'", "'tags'", "'nothing'"}),
                      ")");
      [[fallthrough]];
    default:
      return StrCat(text, OneOf({" = ", " != "}), TextLiteral());
  }
}

std::string Maker::Texts(const Source& source, int depth) {
  if (depth <= 0) {
    switch (Below(4)) {
      case 0:
        return Column(Kind::kTexts, source, "['b', 'a', '']");
      case 1:
        return source.map.empty() ? "['x', 'y']" : StrCat("arraySort(mapKeys(", source.map, "))");
      default:
        return StrCat("splitByChar(", OneOf({"','", "'/'", "' '"}), ", ", Text(source, 0), ")");
    }
  }
  const auto inner = [&] { return Texts(source, depth - 1); };
  switch (Below(9)) {
    case 0:
      return StrCat("arrayMap(x -> ",
                    OneOf({"upper(x)", "concat(x, '!')", "substringUTF8(x, 1, 2)", "toString(length(x))"}), ", ",
                    inner(), ")");
    case 1:
      return StrCat("arrayFilter(x -> ", OneOf({"x != ''", "length(x) > 1", "x LIKE 'a%'"}), ", ", inner(), ")");
    case 2:
      return StrCat(OneOf({"arraySort(", "arrayReverseSort(", "arrayReverse(", "arrayDistinct("}), inner(), ")");
    case 3:
      return StrCat("arraySlice(", inner(), OneOf({", 1, 2)", ", 2)", ", -2)", ", -2, 1)"}));
    case 4:
      return StrCat("arrayConcat(", inner(), ", ", inner(), ")");
    case 5:
      return StrCat("[", Text(source, depth - 1), ", ", TextLiteral(), "]");
    case 6:
      return StrCat("extractAll(", Text(source, depth - 1), ", ", OneOf({"'[a-z]+'", "'([0-9])[0-9]'"}), ")");
    case 7:
      return StrCat("splitByString(", OneOf({"'a'", "', '", "'/v1/'"}), ", ", Text(source, depth - 1), ")");
    default:
      return StrCat("JSONExtractKeys(", Text(source, 0), ")");
  }
}

}  // namespace logquery::clickhouse_oracle
