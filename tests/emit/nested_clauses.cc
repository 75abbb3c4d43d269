// Clauses are nested as text: each form stands in itself, or refers to the entry before it.
#include "lib/base/strings.h"
#include "tests/emit/nested_forms.h"

namespace logquery::testing {
namespace {

using base::StrCat;

// Forms that nest what {x} stands for: an expression of type INT64 in the first list, a query with a column x in the second.
constexpr const char* kExpressions[] = {
    "(SELECT {x})",
    "(SELECT {x} + u FROM UNNEST([1]) AS u)",
    "(SELECT {x} FROM t AS i LIMIT 1)",
    "(SELECT MAX({x}) FROM t AS i)",
    "(SELECT MAX(i.int64_2) FROM t AS i WHERE i.int64_1 = {x})",
    "(SELECT COUNT(*) FROM t AS i WHERE i.int64_1 < {x} GROUP BY i.string_1 LIMIT 1)",
    "(SELECT SUM(u) FROM UNNEST(ARRAY(SELECT {x})) AS u)",
    "ARRAY_LENGTH(ARRAY(SELECT {x}))",
    "ARRAY_LENGTH(ARRAY(SELECT u FROM UNNEST([{x}]) AS u))",
    "ARRAY_LENGTH(ARRAY(SELECT u FROM UNNEST(GENERATE_ARRAY(1, {x})) AS u WHERE u > 1 ORDER BY u))",
    "ARRAY_LENGTH(ARRAY(SELECT DISTINCT i.int64_1 + {x} FROM t AS i))",
    "ARRAY_LENGTH(ARRAY(SELECT AS STRUCT {x} AS a, 1 AS b))",
    "IF(EXISTS(SELECT 1 FROM t AS i WHERE i.int64_1 = {x}), 1, 2)",
    "IF(EXISTS(SELECT {x}), 1, 2)",
    "IF(NOT EXISTS(SELECT 1 FROM UNNEST([1]) AS u WHERE u = {x}), 1, 2)",
    "IF({x} IN (SELECT i.int64_2 FROM t AS i), 1, 2)",
    "IF(1 IN (SELECT {x} FROM t AS i), 1, 2)",
    "IF({x} NOT IN (SELECT u FROM UNNEST([1, 2]) AS u), 1, 2)",
    "IF({x} IN (1, int64_1, int64_2), 1, 2)",
    "IF(1 IN (int64_1, {x}, int64_2), 1, 2)",
    "IF({x} IN UNNEST([1, 2]), 1, 2)",
    "IF({x} BETWEEN int64_1 AND int64_2, 1, 2)",
    "IF(int64_1 BETWEEN int64_2 AND {x}, 1, 2)",
    "IF({x} > 1, 1, 2)",
    "IF(TRUE, {x}, 1)",
    "IF(int64_1 = 1, {x}, int64_2)",
    "CASE WHEN {x} = 1 THEN 1 WHEN int64_1 = 2 THEN int64_2 END",
    "CASE WHEN int64_1 = 1 THEN {x} ELSE int64_2 END",
    "CASE {x} WHEN 1 THEN 1 WHEN 2 THEN 3 WHEN int64_1 THEN 4 ELSE 0 END",
    "CASE int64_1 WHEN {x} THEN 1 ELSE 0 END",
    "CASE CAST({x} AS FLOAT64) WHEN 1.5 THEN 1 WHEN float64_1 THEN 2 ELSE 0 END",
    "COALESCE({x}, int64_1)",
    "COALESCE(int64_1, {x}, int64_2)",
    "IFNULL({x}, int64_1)",
    "NULLIF({x}, int64_1)",
    "NULLIF(int64_1, {x})",
    "WITH(w AS {x}, w)",
    "WITH(w AS {x}, v AS w + 1, w + v)",
    "({x} + int64_1)",
    "(-{x})",
    "STRUCT({x} AS a, 1 AS b).a",
    "IF(STRUCT({x} AS a, int64_1 AS b) = STRUCT(int64_1 AS a, int64_2 AS b), 1, 2)",
    "IF(({x}, int64_1) IN ((1, 2), (int64_1, int64_2)), 1, 2)",
    "IF(STRUCT({x} AS a, int64_1 AS b) IS NULL, 1, 2)",
    "[{x}][SAFE_OFFSET(0)]",
    "[{x}][OFFSET(0)]",
    "[int64_1, {x}][ORDINAL(1)]",
    "[int64_1, int64_2][SAFE_OFFSET({x})]",
    "array_int64_1[OFFSET({x})]",
    "ARRAY_CONCAT([{x}], [int64_1])[SAFE_OFFSET(0)]",
    "ARRAY_LENGTH([{x}, 1])",
    "ARRAY_LENGTH([STRUCT({x} AS a)])",
    "CAST(CAST({x} AS STRING) AS INT64)",
    "SAFE_CAST(CAST({x} AS STRING) AS INT64)",
    "CAST(CAST({x} AS NUMERIC) AS INT64)",
    "CAST(CAST({x} AS BIGNUMERIC) AS INT64)",
    "CAST(CAST({x} AS FLOAT64) AS INT64)",
    "CAST(CAST({x} AS BOOL) AS INT64)",
    "LENGTH(CAST(CAST(TIMESTAMP_SECONDS({x}) AS DATETIME) AS STRING))",
    "LENGTH(CAST(TIMESTAMP_SECONDS({x}) AS STRING FORMAT 'YYYY-MM-DD HH24'))",
    "LENGTH(CAST(CAST(CAST({x} AS STRING) AS BYTES) AS STRING))",
    "SAFE.LENGTH(CHR({x}))",
    "SAFE.DIV({x}, int64_1)",
    "CAST(SAFE.SQRT({x}) AS INT64)",
    "SAFE.ARRAY_LENGTH(GENERATE_ARRAY(1, {x}))",
    "ARRAY_LENGTH(ARRAY_TRANSFORM([{x}], e -> e + 1))",
    "ARRAY_LENGTH(ARRAY_FILTER([int64_1], e -> e > {x}))",
    "ARRAY_TRANSFORM([1], e -> {x})[SAFE_OFFSET(0)]",
    "LENGTH(TO_JSON_STRING(STRUCT({x} AS a, [int64_1] AS b)))",
    "LENGTH(TO_JSON_STRING([STRUCT({x} AS a)]))",
    "LENGTH(FORMAT('%T', STRUCT({x} AS a, int64_1 AS b)))",
    "LENGTH(FORMAT('%d %t %T', {x}, int64_1, int64_2))",
    "INT64(TO_JSON({x}))",
    "LAX_INT64(JSON_OBJECT('a', {x}).a)",
    "EXTRACT(DAY FROM TIMESTAMP_SECONDS({x}) AT TIME ZONE 'Asia/Tokyo')",
    "UNIX_SECONDS(TIMESTAMP_TRUNC(TIMESTAMP_SECONDS({x}), WEEK(MONDAY), 'Asia/Tokyo'))",
    "UNIX_DATE(DATE_ADD(DATE_FROM_UNIX_DATE({x}), INTERVAL int64_1 MONTH))",
    "UNIX_DATE(DATE_ADD(DATE_FROM_UNIX_DATE(int64_1), INTERVAL {x} MONTH))",
    "EXTRACT(DAY FROM (INTERVAL {x} DAY + INTERVAL int64_1 HOUR))",
    "IF(string_1 LIKE CAST({x} AS STRING), 1, 2)",
    "IF(CAST({x} AS STRING) LIKE ANY ('1', string_1), 1, 2)",
    "(SELECT SUM({x}) OVER (ORDER BY i.int64_1) FROM t AS i LIMIT 1)",
    "(SELECT MAX(w) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY {x} ORDER BY i.int64_1) AS w FROM t AS i))",
    "(SELECT FIRST_VALUE({x}) OVER (ORDER BY i.int64_1 ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t AS i LIMIT 1)",
    "(SELECT w FROM (SELECT PERCENTILE_CONT({x}, 0.5) OVER () > 1 AS c, 1 AS w FROM t AS i) WHERE c LIMIT 1)",
    "(SELECT APPROX_QUANTILES({x}, 4)[OFFSET(1)] FROM t AS i)",
    "(SELECT ARRAY_LENGTH(ARRAY_AGG({x} ORDER BY i.int64_1 LIMIT 1)) FROM t AS i)",
    "(SELECT LENGTH(STRING_AGG(CAST({x} AS STRING), ',' ORDER BY i.int64_1)) FROM t AS i)",
    "(SELECT COUNT(DISTINCT {x}) FROM t AS i)",
    "(SELECT COUNTIF({x} > 1) FROM t AS i)",
    "(SELECT CAST(SUM(CAST({x} AS NUMERIC)) AS INT64) FROM t AS i)",
    "(SELECT CAST(AVG({x}) AS INT64) FROM t AS i)",
    "(SELECT MAX(i.int64_1 HAVING MAX {x}) FROM t AS i)",
    "(SELECT MAX_BY(i.int64_1, {x}) FROM t AS i)",
    "(SELECT x FROM (SELECT {x} AS x) WHERE x > 1)",
    "(SELECT {x} AS a FROM t AS i GROUP BY a HAVING a > 1 ORDER BY a LIMIT 1)",
    "(SELECT {x} AS a FROM t AS i WHERE TRUE QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1 ORDER BY a LIMIT 1)",
    "(SELECT MAX(i.int64_1) FROM t AS i GROUP BY {x}, i.int64_2 LIMIT 1)",
    "(SELECT s.a FROM (SELECT STRUCT({x} AS a, 1 AS b, 2 AS c).*) AS s)",
    "(SELECT s.a FROM (SELECT (SELECT AS STRUCT {x} AS a, 1 AS b, 2 AS c).*) AS s)",
    "STRUCT(STRUCT({x} AS a, 1 AS b) AS s, 1 AS c).s.a",
    "IF(STRUCT(STRUCT({x} AS a, 1 AS b) AS s, 1 AS c).s = STRUCT(1 AS a, 2 AS b), 1, 2)",
    "CASE STRUCT({x} AS a, 1 AS b) WHEN STRUCT(1 AS a, 2 AS b) THEN 1 WHEN (2, 3) THEN 2 END",
    "(SELECT s_a FROM (SELECT i.int64_1 AS k, 1 AS w FROM t AS i) PIVOT (SUM(w) AS s FOR k + {x} IN (1 AS a, 2 AS b)))",
    "(FROM t AS i |> EXTEND {x} AS y |> WHERE y > 1 |> AGGREGATE SUM(y) AS s |> SELECT s)",
    "(FROM t AS i |> EXTEND {x} AS y |> SET y = y + y |> AGGREGATE MAX(y) AS s)",
    "(SELECT ANY_VALUE(i.int64_1 HAVING MAX CAST({x} AS FLOAT64)) FROM t AS i)",
    "LENGTH(CAST(CAST('2020' AS TIMESTAMP FORMAT 'YYYY' AT TIME ZONE CAST({x} AS STRING)) AS STRING))",
    "LENGTH(CAST(timestamp_1 AS STRING FORMAT 'HH24' AT TIME ZONE CAST({x} AS STRING)))",
    "CAST({x} / 2 AS INT64)",
    "IF(CAST({x} AS FLOAT64) BETWEEN 1.5 AND 2.5, 1, 2)",
    "NULLIF(CAST(NULLIF(CAST({x} AS FLOAT64), 1.5) AS INT64), 1)",
    "IF(string_1 LIKE ANY (SELECT CAST({x} AS STRING)), 1, 2)",
    "IF(CAST(CAST({x} AS STRING) AS BYTES) LIKE ANY (b'1', b'2'), 1, 2)",
    "(SELECT a.x + b.x FROM (SELECT {x} AS x) AS a, (SELECT 1 AS x) AS b)",
    "(WITH w AS (SELECT {x} AS x) SELECT x FROM w)",
    "(WITH w AS (SELECT {x} AS x) SELECT a.x + b.x FROM w AS a, w AS b)",
};

constexpr const char* kQueries[] = {
    "SELECT x FROM ({x})",
    "SELECT x + 1 AS x FROM ({x})",
    "SELECT x + x AS x FROM ({x})",
    "SELECT IF(x > 1, x, x + 1) AS x FROM ({x})",
    "SELECT x FROM ({x}) WHERE x > 1 AND x < 100",
    "SELECT * REPLACE (x + x AS x) FROM ({x})",
    "SELECT ANY_VALUE(x) AS x FROM ({x})",
    "SELECT SUM(x) AS x FROM ({x})",
    "SELECT SUM(x) + MAX(x) AS x FROM ({x}) HAVING SUM(x) > 1",
    "SELECT x + 1 AS x, COUNT(*) AS n FROM ({x}) GROUP BY x HAVING n > 1",
    "SELECT x, COUNT(*) AS n FROM ({x}) GROUP BY ROLLUP(x)",
    "SELECT x FROM ({x}) GROUP BY GROUPING SETS (x, ())",
    "SELECT DISTINCT x FROM ({x})",
    "SELECT x FROM ({x}) ORDER BY x DESC LIMIT 10",
    "SELECT x FROM ({x}) LIMIT 5 OFFSET 1",
    "SELECT SUM(x) OVER (PARTITION BY x ORDER BY x) AS x FROM ({x})",
    "SELECT x FROM ({x}) WHERE TRUE QUALIFY ROW_NUMBER() OVER (ORDER BY x) = 1",
    "SELECT x FROM ({x}) UNION ALL SELECT 1",
    "SELECT 1 AS x UNION ALL ({x})",
    "SELECT x FROM ({x}) UNION DISTINCT SELECT 1",
    "SELECT x FROM ({x}) EXCEPT DISTINCT SELECT 1",
    "SELECT x FROM ({x}) INTERSECT DISTINCT SELECT 1",
    "SELECT a.x FROM ({x}) AS a JOIN (SELECT int64_1 AS x FROM t) AS b ON a.x = b.x",
    "SELECT a.x FROM ({x}) AS a LEFT JOIN (SELECT int64_1 AS x FROM t) AS b ON a.x = b.x",
    "SELECT x FROM ({x}) AS a FULL JOIN (SELECT int64_1 AS x FROM t) AS b USING (x)",
    "SELECT a.x FROM (SELECT int64_1 AS x FROM t) AS a JOIN ({x}) AS b ON a.x < b.x",
    "SELECT a.x FROM ({x}) AS a CROSS JOIN UNNEST([1, 2]) AS u",
    "SELECT a.x + u AS x FROM ({x}) AS a, UNNEST(GENERATE_ARRAY(1, a.x)) AS u",
    "SELECT a.x FROM ({x}) AS a, UNNEST([a.x]) AS u WITH OFFSET AS o WHERE o = 0",
    "SELECT int64_1 AS x FROM t WHERE int64_1 IN ({x})",
    "SELECT int64_1 AS x FROM t WHERE int64_1 NOT IN ({x})",
    "SELECT int64_1 AS x FROM t WHERE EXISTS ({x})",
    "SELECT i.int64_1 AS x FROM t AS i WHERE EXISTS (SELECT 1 FROM ({x}) AS a WHERE a.x = i.int64_1)",
    "SELECT i.int64_1 AS x FROM t AS i WHERE NOT EXISTS (SELECT 1 FROM ({x}) AS a WHERE a.x != i.int64_1)",
    "SELECT int64_1 AS x FROM t WHERE int64_1 = (SELECT MAX(x) FROM ({x}))",
    "SELECT u AS x FROM UNNEST(ARRAY({x})) AS u",
    "SELECT ARRAY_LENGTH(ARRAY({x})) AS x",
    "SELECT s.x FROM (SELECT STRUCT(x AS x, 1 AS y) AS s FROM ({x}))",
    "SELECT ARRAY_AGG(x)[SAFE_OFFSET(0)] AS x FROM ({x})",
    "SELECT k_1 AS x FROM (SELECT x, 1 AS k FROM ({x})) PIVOT (SUM(x) AS k FOR k IN (1))",
    "SELECT v AS x FROM (SELECT x, x + 1 AS y FROM ({x})) UNPIVOT (v FOR n IN (x, y))",
    "WITH w AS ({x}) SELECT x FROM w",
    "WITH w AS ({x}) SELECT a.x FROM w AS a JOIN w AS b ON a.x = b.x",
    "WITH w AS ({x}) SELECT x FROM w WHERE x IN (SELECT x FROM w)",
    "WITH w AS ({x}) SELECT x FROM w UNION ALL SELECT x FROM w",
    "WITH RECURSIVE w AS (SELECT x FROM ({x}) UNION ALL SELECT x + 1 FROM w WHERE x < 3) SELECT x FROM w",
};

// Chains of WITH entries, where {p} is the entry before and {n} the number of this one.
constexpr const char* kEntries[] = {
    "SELECT x FROM c{p}",
    "SELECT x + x AS x FROM c{p}",
    "SELECT SUM(x) AS x FROM c{p}",
    "SELECT a.x FROM c{p} AS a JOIN c{p} AS b ON a.x = b.x",
    "SELECT x FROM c{p} UNION ALL SELECT x + 1 FROM c{p}",
    "SELECT x FROM c{p} WHERE x IN (SELECT x FROM c{p})",
    "SELECT a.x + b.x AS x FROM c{p} AS a, c{p} AS b",
    "SELECT x FROM c{p} WHERE EXISTS (SELECT 1 FROM c{p} AS b WHERE b.x = c{p}.x)",
    "SELECT (SELECT MAX(x) FROM c{p}) AS x",
    "SELECT (SELECT MAX(x) FROM c{p}) + (SELECT MIN(x) FROM c{p}) AS x",
    "SELECT ROW_NUMBER() OVER (ORDER BY x) AS x FROM c{p}",
};

std::string Fill(std::string text, std::string_view name, std::string_view value) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size())) {
    text.replace(at, name.size(), value);
  }
  return text;
}

std::string Nested(const char* form, std::string text, int depth) {
  for (int i = 0; i < depth; ++i) text = Fill(form, "{x}", text);
  return text;
}

std::string Chain(const char* entry, int depth) {
  std::string text = "WITH c0 AS (SELECT int64_1 AS x FROM t)";
  for (int i = 1; i <= depth; ++i) text += StrCat(", c", i, " AS (", Fill(entry, "{p}", StrCat(i - 1)), ")");
  return StrCat(text, " SELECT x FROM c", depth);
}

}  // namespace

std::vector<NestedForm> NestedClauses() {
  std::vector<NestedForm> forms;
  for (const char* form : kExpressions) {
    forms.push_back(
        {form, [form](int depth) { return StrCat("SELECT ", Nested(form, "int64_1", depth), " AS x FROM t"); }});
    // The same without a row.
    if (std::string_view(form).find("_1") == std::string_view::npos) {
      forms.push_back({StrCat(form, " of a constant"),
                       [form](int depth) { return StrCat("SELECT ", Nested(form, "1", depth), " AS x"); }});
    }
  }
  for (const char* form : kQueries) {
    forms.push_back({form, [form](int depth) { return Nested(form, "SELECT int64_1 AS x FROM t", depth); }});
  }
  for (const char* entry : kEntries) {
    forms.push_back({StrCat("WITH chain: ", entry), [entry](int depth) { return Chain(entry, depth); }});
  }
  return forms;
}

}  // namespace logquery::testing
