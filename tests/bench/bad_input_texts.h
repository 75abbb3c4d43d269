// The worst texts that a caller can send: the slowest of each kind of token and of nesting, filled up to 64 KiB and up to each
// bound.
#ifndef LOGQUERY_TESTS_BENCH_BAD_INPUT_TEXTS_H_
#define LOGQUERY_TESTS_BENCH_BAD_INPUT_TEXTS_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::bad_input {

inline constexpr size_t kMostBytes = 65'536;

struct Text {
  std::string name;
  std::string sql;
};

inline std::string Numbered(std::string_view unit, size_t number) {
  std::string text;
  for (const char c : unit) c == '#' ? text += std::to_string(number) : text += c;
  return text;
}

// `unit` with `#` its number, as often as there is room for, but at most `most` times.
inline std::string Fill(std::string_view before, std::string_view unit, std::string_view after,
                        size_t most = kMostBytes) {
  std::string sql(before);
  for (size_t i = 0; i < most; ++i) {
    const std::string next = Numbered(unit, i);
    if (sql.size() + next.size() + after.size() > kMostBytes) break;
    sql += next;
  }
  return sql.append(after);
}

// `open` around `core` around `close`, the same number of each.
inline std::string Nest(std::string_view before, std::string_view open, std::string_view core, std::string_view close,
                        std::string_view after, size_t most = kMostBytes) {
  const size_t room = kMostBytes - before.size() - core.size() - after.size();
  const size_t depth = std::min(most, room / (open.size() + close.size()));
  std::string sql(before);
  for (size_t i = 0; i < depth; ++i) sql += Numbered(open, i);
  sql += core;
  for (size_t i = 0; i < depth; ++i) sql += close;
  return sql.append(after);
}

class Texts {
 public:
  // Adds a text that takes the room there is, and one for each of the bounds.
  void Filled(std::string_view before, std::string_view unit, std::string_view after,
              const std::vector<size_t>& bounds = {}) {
    const std::string name = base::StrCat(before, unit, " … ", after);
    all_.push_back({base::StrCat(name, ", full"), Fill(before, unit, after)});
    for (const size_t most : bounds) {
      all_.push_back({base::StrCat(name, ", ", most), Fill(before, unit, after, most)});
    }
  }
  void Nested(std::string_view before, std::string_view open, std::string_view core, std::string_view close,
              std::string_view after, const std::vector<size_t>& bounds = {30, 60, 95, 190}) {
    const std::string name = base::StrCat(before, open, " ", core, close, " …", after);
    all_.push_back({base::StrCat(name, ", full"), Nest(before, open, core, close, after)});
    for (const size_t most : bounds) {
      all_.push_back({base::StrCat(name, ", ", most), Nest(before, open, core, close, after, most)});
    }
  }
  std::vector<Text> Take() { return std::move(all_); }

 private:
  std::vector<Text> all_;
};

inline void AddTokens(Texts& texts) {
  texts.Filled("", "", "");
  texts.Filled("-- nothing", "", "");
  for (const std::string_view unit : {" ",
                                      "\n",
                                      "/**/",
                                      "--\n",
                                      "#\n",
                                      "/*",
                                      "'",
                                      "\"",
                                      "`",
                                      "'''",
                                      "\"\"\"",
                                      "r'",
                                      "b'",
                                      "b\"\"\"",
                                      "'\\",
                                      "''''",
                                      "'a'",
                                      "\\",
                                      "@",
                                      "@a ",
                                      "@{",
                                      "@{}",
                                      "@@",
                                      "$",
                                      "?",
                                      ";",
                                      ",",
                                      ".",
                                      ":",
                                      "::",
                                      "(",
                                      ")",
                                      "[",
                                      "]",
                                      "{",
                                      "}",
                                      "<",
                                      ">",
                                      "<<",
                                      ">>",
                                      "|",
                                      "||",
                                      "|>",
                                      "->",
                                      "=>",
                                      "!",
                                      "!=",
                                      "%",
                                      "&",
                                      "^",
                                      "~",
                                      "+",
                                      "-",
                                      "*",
                                      "/",
                                      "=",
                                      "==",
                                      "0",
                                      "0x",
                                      "1e",
                                      "1.",
                                      ".1",
                                      "1 ",
                                      "a",
                                      "a ",
                                      "a.",
                                      "a,",
                                      "SELECT ",
                                      "FROM ",
                                      "WITH ",
                                      "CASE ",
                                      "END ",
                                      "NOT ",
                                      "AS ",
                                      "UNION ALL ",
                                      "\xC3\xA9",
                                      "\xC3",
                                      "\xFF",
                                      "\xE2\x80\x9C",
                                      "\xEF\xBB\xBF",
                                      "SELECT 1;"}) {
    texts.Filled("", unit, "");
    texts.Filled("SELECT ", unit, "");
    texts.Filled("SELECT id FROM edge_logs WHERE ", unit, "");
  }
  texts.Filled(std::string("SELECT 1\0", 9), "a", "");
  texts.Filled("SELECT '", "\\n", "'");
  texts.Filled("SELECT '", "\\u00e9", "'");
  texts.Filled("SELECT ", "a", " FROM edge_logs");
  texts.Filled("SELECT `", "a", "` FROM edge_logs");
  texts.Filled("SELECT 1 AS ", "a", "");
  texts.Filled("SELECT * FROM ", "edge_logs", "");
  texts.Filled("SELECT LOW", "ER", "(id) FROM edge_logs");
  texts.Filled("SELECT ", "9", "");
  texts.Filled("SELECT 0.", "9", "");
  texts.Filled("SELECT NUMERIC '", "9", "'");
  texts.Filled("SELECT BIGNUMERIC '", "9", "'");
  texts.Filled("SELECT JSON '", "[", "'");
  texts.Filled("SELECT JSON '[", "1,", "1]'");
  texts.Filled("SELECT TIMESTAMP '2026-01-01", " ", "'");
  texts.Filled("SELECT REGEXP_CONTAINS(id, r'", "(a|", "') FROM edge_logs");
  texts.Filled("SELECT REGEXP_CONTAINS(id, r'", "(a*)", "') FROM edge_logs");
  texts.Filled("SELECT id LIKE '", "%a", "' FROM edge_logs");
  texts.Filled("SELECT FORMAT('", "%d", "', 1)");
  texts.Filled("SELECT FORMAT_TIMESTAMP('", "%F", "', timestamp) FROM edge_logs");
  texts.Filled("SELECT PARSE_TIMESTAMP('", "%Y", "', id) FROM edge_logs");
  texts.Filled("SELECT JSON_VALUE(event_message, '$", ".a", "') FROM edge_logs");
  texts.Filled("SELECT CAST(timestamp AS STRING FORMAT '", "YYYY-", "') FROM edge_logs");
}

inline void AddNesting(Texts& texts) {
  texts.Nested("SELECT ", "(", "1", ")", "");
  texts.Nested("SELECT ", "[", "", "]", "");
  texts.Nested("SELECT ", "ARRAY[STRUCT(", "1", ")]", "");
  texts.Nested("SELECT ", "STRUCT(", "1", " AS a)", "");
  texts.Nested("SELECT ", "(", "1", ", 2)", "");
  texts.Nested("SELECT ", "NOT (", "TRUE", ")", "");
  texts.Nested("SELECT ", "NOT ", "TRUE", "", "");
  texts.Nested("SELECT ", "- ", "1", "", "");
  texts.Nested("SELECT ", "~", "1", "", "");
  texts.Nested("SELECT ", "ABS(", "1", ")", "");
  texts.Nested("SELECT ", "LOWER(", "id", ")", " FROM edge_logs");
  texts.Nested("SELECT ", "REVERSE(", "id", ")", " FROM edge_logs");
  texts.Nested("SELECT ", "CONCAT(id, ", "id", ")", " FROM edge_logs");
  texts.Nested("SELECT ", "REPLACE(", "id", ", 'a', 'b')", " FROM edge_logs");
  texts.Nested("SELECT ", "IF(id = 'a', ", "id", ", 'b')", " FROM edge_logs");
  texts.Nested("SELECT ", "IF(", "TRUE", ", TRUE, FALSE)", "");
  texts.Nested("SELECT ", "COALESCE(id, ", "id", ")", " FROM edge_logs");
  texts.Nested("SELECT ", "CASE WHEN id = 'a' THEN ", "id", " ELSE 'b' END", " FROM edge_logs");
  texts.Nested("SELECT ", "CASE ", "id", " WHEN 'a' THEN 'b' END", " FROM edge_logs");
  texts.Nested("SELECT ", "CASE WHEN id = 'b' THEN 'c' ELSE ", "id", " END", " FROM edge_logs");
  texts.Nested("SELECT ", "CAST(", "id", " AS STRING)", " FROM edge_logs");
  texts.Nested("SELECT ", "SAFE_CAST(", "id", " AS BYTES)", " FROM edge_logs");
  texts.Nested("SELECT ", "SAFE.SUBSTR(", "id", ", 2)", " FROM edge_logs");
  texts.Nested("SELECT ", "SPLIT(", "id", ")[OFFSET(0)]", " FROM edge_logs");
  texts.Nested("SELECT ", "TIMESTAMP_TRUNC(", "timestamp", ", HOUR)", " FROM edge_logs");
  texts.Nested("SELECT ", "FORMAT('%s', ", "id", ")", " FROM edge_logs");
  texts.Nested("SELECT ", "TO_JSON_STRING(", "id", ")", " FROM edge_logs");
  texts.Nested("SELECT ", "(id = 'a') = ", "TRUE", "", " FROM edge_logs");
  texts.Nested("SELECT ", "(SELECT ", "1", ")", "");
  texts.Nested("SELECT ", "(SELECT a.id || ", "'x'", " FROM UNNEST([1]) AS x)", " FROM edge_logs AS a");
  texts.Nested("SELECT ", "ARRAY(SELECT AS STRUCT ", "1", " AS a)", "");
  texts.Nested("SELECT ", "EXISTS(SELECT 1 WHERE ", "TRUE", ")", "");
  texts.Nested("SELECT ", "1 IN (SELECT IF(", "TRUE", ", 1, 2))", "");
  texts.Nested("SELECT id FROM edge_logs WHERE ", "id IN (SELECT id FROM edge_logs WHERE ", "TRUE", ")", "");
  texts.Nested("", "SELECT * FROM (", "SELECT * FROM edge_logs", ")", "");
  texts.Nested("", "SELECT id FROM (", "SELECT id FROM edge_logs", " ORDER BY id LIMIT 5)", "");
  texts.Nested("", "SELECT id, COUNT(*) AS n FROM (", "SELECT id FROM edge_logs", ") GROUP BY id", "");
  texts.Nested("", "SELECT DISTINCT id FROM (", "SELECT id FROM edge_logs", ")", "");
  texts.Nested("", "(", "SELECT 1", ")", "");
  texts.Nested("", "(", "SELECT 1", " UNION ALL SELECT 1)", "");
  texts.Nested("", "SELECT 1 UNION ALL (", "SELECT 1", ")", "");
  texts.Nested("", "WITH a AS (", "SELECT 1 AS x", ") SELECT * FROM a", "");
  texts.Nested("SELECT * FROM ", "(", "edge_logs", " CROSS JOIN edge_logs)", "");
  texts.Nested("SELECT * FROM edge_logs ", "JOIN (edge_logs ", "JOIN edge_logs ON TRUE", ") ON TRUE", "", {15, 30});
  texts.Nested("SELECT CAST(NULL AS ", "ARRAY<STRUCT<a ", "INT64", ">>", ")");
  texts.Nested("SELECT CAST(NULL AS ", "STRUCT<a ", "INT64", ">", ")");
  texts.Nested("SELECT ", "STRUCT<a STRING>(", "'x'", ").a", "");
  texts.Nested("SELECT ", "ARRAY_TRANSFORM([1], x -> ARRAY_LENGTH(", "[x]", "))", "");
  texts.Nested("SELECT ", "SUM(", "1", ") OVER ()", " FROM edge_logs");
  texts.Nested("SELECT ", "JSON_ARRAY(", "1", ")", "");
}

inline void AddLong(Texts& texts) {
  for (const std::string_view op : {" + 1", " - 1", " * 1", " / 1", " & 1", " | 1", " << 1", " = 1", " < 1"}) {
    texts.Filled("SELECT 1", op, "", {490});
  }
  texts.Filled("SELECT LENGTH(id)", " + LENGTH(id)", " FROM edge_logs", {490});
  for (const std::string_view op : {" AND TRUE", " OR FALSE", " AND id = 'a'", " OR id = 'a'", " AND NOT id LIKE '%#%'",
                                    " OR id = 'a#' AND event_message = 'b'", " AND id IN ('a', 'b')"}) {
    texts.Filled("SELECT id FROM edge_logs WHERE TRUE", op, "");
  }
  texts.Filled("SELECT 'a'", "||'a'", "");
  texts.Filled("SELECT id", "||id", " FROM edge_logs");
  texts.Filled("SELECT id", "||CAST(timestamp AS STRING)", " FROM edge_logs");
  texts.Filled("SELECT id FROM edge_logs WHERE id IN ('a'", ",'#'", ")");
  texts.Filled("SELECT id FROM edge_logs WHERE id IN (id", ",id", ")");
  texts.Filled("SELECT id FROM edge_logs WHERE LENGTH(id) IN (1", ",#", ")");
  texts.Filled("SELECT id FROM edge_logs WHERE id IN UNNEST(['a'", ",'#'", "])");
  texts.Filled("SELECT id LIKE ANY ('a'", ",'%#'", ") FROM edge_logs");
  texts.Filled("SELECT 1", ",1", "", {900});
  texts.Filled("SELECT 1", ",id", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",id||'#'", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",COUNT(*)", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",SUM(LENGTH(id)+#)", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",ROW_NUMBER() OVER (ORDER BY id)", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",SUM(#) OVER (PARTITION BY id||'#')", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",(SELECT 1)", "", {900});
  texts.Filled("SELECT 1", ",(SELECT id)", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",ARRAY(SELECT # FROM UNNEST([id]))", " FROM edge_logs", {900});
  texts.Filled("SELECT 1", ",*", " FROM edge_logs", {240});
  texts.Filled("SELECT 1", ",edge_logs.*", " FROM edge_logs", {240});
  texts.Filled("SELECT 1", ",CURRENT_TIMESTAMP()", "");
  texts.Filled("SELECT 1", ",TIMESTAMP_SUB(CURRENT_TIMESTAMP(),INTERVAL # HOUR)", "");
  texts.Filled("SELECT 1", ",m.request", " FROM edge_logs, UNNEST(metadata) AS m");
  texts.Filled("SELECT COUNT(*) FROM edge_logs GROUP BY id", ",id", "");
  texts.Filled("SELECT COUNT(*) FROM edge_logs GROUP BY id", ",id||'#'", "");
  texts.Filled("SELECT COUNT(*) FROM edge_logs GROUP BY ROLLUP(id", ",id||'#'", ")");
  texts.Filled("SELECT COUNT(*) FROM edge_logs GROUP BY CUBE(id", ",id", ")", {11});
  texts.Filled("SELECT COUNT(*) FROM edge_logs GROUP BY GROUPING SETS((id)", ",(id)", ")");
  texts.Filled("SELECT id FROM edge_logs ORDER BY id", ",id", "");
  texts.Filled("SELECT id FROM edge_logs ORDER BY id", ",id||'#'", "");
  texts.Filled("SELECT id FROM edge_logs WINDOW a AS ()", ",a# AS (ORDER BY id)", "");
  for (const std::string_view function :
       {"CONCAT", "COALESCE", "GREATEST", "JSON_ARRAY", "STRUCT", "ARRAY_CONCAT", "FORMAT"}) {
    texts.Filled(base::StrCat("SELECT ", function, "(id"), ",id", ") FROM edge_logs");
    texts.Filled(base::StrCat("SELECT ", function, "(1"), ",#", ")");
  }
  texts.Filled("SELECT [1", ",#", "]");
  texts.Filled("SELECT ['a'", ",id", "] FROM edge_logs");
  texts.Filled("SELECT [STRUCT(1 AS a)", ",STRUCT(#)", "]");
  texts.Filled("SELECT STRUCT(1 AS a", ",# AS a#", ")");
  texts.Filled("SELECT CAST(NULL AS STRUCT<a INT64", ",a# INT64", ">)");
  texts.Filled("SELECT STRUCT<a INT64", ",a# INT64", ">(1)");
  texts.Filled("SELECT CASE", " WHEN id = '#' THEN #", " END FROM edge_logs");
  texts.Filled("SELECT CASE id", " WHEN '#' THEN #", " END FROM edge_logs");
  texts.Filled("SELECT WITH(a AS 1", ", a# AS 1", ", a)", {190});
  texts.Filled("SELECT WITH(a AS id", ", a# AS STRUCT(a, a)", ", a) FROM edge_logs", {190});
  texts.Filled("SELECT id", ".a", " FROM edge_logs");
  texts.Filled("SELECT PARSE_JSON(id)", ".a", " FROM edge_logs", {190});
  texts.Filled("SELECT PARSE_JSON(id)", "[0]", " FROM edge_logs", {190});
  texts.Filled("SELECT id", "::STRING", " FROM edge_logs", {190});
}

inline void AddClauses(Texts& texts) {
  texts.Filled("WITH a AS (SELECT 1)", ",a# AS (SELECT 1)", " SELECT 1", {98});
  texts.Filled("WITH a AS (SELECT id FROM edge_logs)", ",a# AS (SELECT * FROM edge_logs)", " SELECT * FROM a", {98});
  for (const std::string_view each :
       {"SELECT * FROM c%", "SELECT id FROM c% UNION ALL SELECT id FROM c%", "SELECT id || id AS id FROM c%",
        "SELECT (SELECT MAX(id) FROM c%) AS id", "SELECT id FROM c% WHERE id IN (SELECT id FROM c%)",
        "SELECT IF(id = 'a', id || id, id) AS id FROM c%", "SELECT STRUCT(id, id) AS id FROM c%",
        "SELECT ARRAY_AGG(TO_JSON_STRING(id)) AS id FROM c%"}) {
    std::string sql = "WITH c0 AS (SELECT id FROM edge_logs)";
    for (int i = 1; i < 99; ++i) {
      std::string body(each);
      for (size_t at = body.find('%'); at != std::string::npos; at = body.find('%')) {
        body.replace(at, 1, std::to_string(i - 1));
      }
      base::StrAppend(&sql, ", c", i, " AS (", body, ")");
    }
    texts.Filled(sql + " SELECT * FROM c98", "", "");
  }
  texts.Filled("SELECT 1", " UNION ALL SELECT 1", "");
  texts.Filled("SELECT id FROM edge_logs", " UNION ALL SELECT id FROM edge_logs", "");
  texts.Filled("SELECT * FROM edge_logs", " UNION ALL SELECT * FROM edge_logs", "");
  texts.Filled("SELECT 1 AS a", " UNION ALL SELECT NULL", "");
  texts.Filled("SELECT 1", " EXCEPT DISTINCT SELECT 1", "");
  texts.Filled("SELECT * FROM edge_logs", " CROSS JOIN edge_logs", "", {31});
  texts.Filled("SELECT a.* FROM edge_logs AS a", ", edge_logs AS a#", "", {31});
  texts.Filled("SELECT 1 FROM edge_logs AS a", " JOIN edge_logs AS a# USING (id)", "", {31});
  texts.Filled("SELECT * FROM edge_logs AS a", " FULL JOIN edge_logs AS a# USING (id, timestamp)", "", {31});
  texts.Filled("SELECT 1 FROM edge_logs AS a", " LEFT JOIN edge_logs AS a# ON a.id = a#.id AND a#.id = 'x'", "", {31});
  texts.Filled("SELECT 1 FROM UNNEST([1])", ", UNNEST([1])", "", {199});
  texts.Filled("SELECT 1 FROM edge_logs AS a", ", UNNEST(a.metadata) AS m#", "", {199});
  texts.Filled("SELECT 1 FROM edge_logs AS a", " LEFT JOIN UNNEST(a.metadata) AS m# ON TRUE", "", {199});
  texts.Filled("SELECT 1 FROM UNNEST([[1]]) AS a", ", UNNEST(a) AS a", "", {199});
  for (const std::string_view pipe :
       {"WHERE id = '#'", "SELECT *", "SELECT id, timestamp", "EXTEND 1 AS a#", "SET id = id || '#'", "LIMIT 10",
        "ORDER BY id", "AS t#", "DISTINCT", "DROP id", "RENAME id AS id#",
        "AGGREGATE COUNT(*) AS id GROUP BY timestamp", "JOIN edge_logs ON TRUE", "UNION ALL (SELECT * FROM edge_logs)",
        "EXTEND SUM(1) OVER () AS a#"}) {
    texts.Filled("FROM edge_logs", base::StrCat(" |> ", pipe), "", {199});
  }
  texts.Filled("FROM edge_logs |> SELECT id", " |> SET id = id || id", "", {199});
  texts.Filled("SELECT * EXCEPT (id", ", a#", ") FROM edge_logs");
  texts.Filled("SELECT * REPLACE (1 AS id", ", # AS id", ") FROM edge_logs");
  texts.Filled("SELECT * FROM (SELECT 'a' AS k, 1 AS v) PIVOT (SUM(v) FOR k IN ('a'", ", 'b#'", "))", {900});
  texts.Filled("SELECT * FROM (SELECT id FROM edge_logs) UNPIVOT (v FOR k IN (id", ", id", "))");
  texts.Filled("SELECT id FROM edge_logs WHERE EXISTS (SELECT 1", " UNION ALL SELECT 1", ")");
  texts.Filled("SELECT id FROM edge_logs WHERE TRUE",
               " AND EXISTS (SELECT 1 FROM auth_logs AS b WHERE b.id = edge_logs.id)", "", {30});
  texts.Filled("SELECT id FROM edge_logs WHERE TRUE", " AND id NOT IN (SELECT id FROM auth_logs)", "", {30});
}

}  // namespace logquery::bad_input

#endif  // LOGQUERY_TESTS_BENCH_BAD_INPUT_TEXTS_H_
