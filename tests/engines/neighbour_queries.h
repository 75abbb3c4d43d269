// Queries of a token of one project, whose answers must not depend on rows of others beside its own in the table t: with the
// columns id, timestamp, project, n INT64 and s STRING.
#ifndef LOGQUERY_TESTS_ENGINES_NEIGHBOUR_QUERIES_H_
#define LOGQUERY_TESTS_ENGINES_NEIGHBOUR_QUERIES_H_

namespace logquery::testing {

inline constexpr const char* kNeighbourQueries[] = {
    "SELECT id, 10 / n AS x FROM t ORDER BY id",
    "SELECT id FROM t WHERE 10 / n > 2 ORDER BY id",
    "SELECT SUM(CAST(s AS INT64)) AS x FROM t",
    "SELECT id FROM t WHERE CAST(s AS INT64) = 3 ORDER BY id LIMIT 3",
    "SELECT CAST(s AS INT64) AS x, COUNT(*) AS c FROM t GROUP BY 1 ORDER BY 1",
    "SELECT SUM(n) AS x, AVG(n) AS a, MAX(n) AS y, MIN(s) AS z FROM t",
    "SELECT s, SUM(n) AS x FROM t GROUP BY s ORDER BY x, s LIMIT 2",
    "SELECT n * n AS x FROM t ORDER BY 1 DESC LIMIT 2",
    "SELECT APPROX_QUANTILES(n, 4)[OFFSET(3)] AS q FROM t",
    "SELECT a.id FROM t AS a JOIN t AS b ON a.n = b.n AND 10 / b.n > 2 ORDER BY 1 LIMIT 5",
    "SELECT a.id FROM t AS a LEFT JOIN t AS b ON a.id = b.s WHERE b.id IS NULL ORDER BY 1",
    "SELECT id, ROW_NUMBER() OVER (PARTITION BY s ORDER BY n, id) AS r FROM t ORDER BY id",
    "SELECT id FROM t WHERE n = (SELECT MAX(n) FROM t) ORDER BY id",
    "SELECT id FROM t WHERE REGEXP_CONTAINS(s, '[0-2]') UNION ALL SELECT s FROM t ORDER BY 1",
    "SELECT REGEXP_EXTRACT(s, '([0-3])') AS x, COUNT(*) AS c FROM t GROUP BY 1 ORDER BY 1",
    "SELECT COUNT(*) AS c, COUNT(DISTINCT s) AS d, COUNTIF(n > 3) AS e FROM t",
    "SELECT id FROM t ORDER BY timestamp DESC LIMIT 3",
    "SELECT TIMESTAMP_TRUNC(timestamp, WEEK) AS w, EXTRACT(HOUR FROM timestamp) AS h, COUNT(*) AS c FROM t GROUP BY 1, "
    "2 ORDER BY 1, 2",
    "SELECT DATE(timestamp) AS d, FORMAT_TIMESTAMP('%H:%M', timestamp) AS f, COUNT(*) AS c FROM t GROUP BY 1, 2 ORDER "
    "BY 1, 2",
    "SELECT TIMESTAMP_ADD(timestamp, INTERVAL 1 DAY) AS x FROM t ORDER BY 1 LIMIT 3",
    "SELECT UNIX_MICROS(timestamp) AS u, TIMESTAMP_DIFF(timestamp, TIMESTAMP '2000-01-01', SECOND) AS x FROM t ORDER "
    "BY 1 LIMIT 3",
    "SELECT DIV(n, 3) AS x, MOD(n, 3) AS y, SUBSTR(s, 1, 1) AS z, COUNT(*) AS c FROM t GROUP BY 1, 2, 3 ORDER BY 1, 2, "
    "3",
    "SELECT PARSE_TIMESTAMP('%s', s) AS x FROM t ORDER BY 1 LIMIT 3",
    "SELECT ERROR(s) AS x FROM t WHERE s = 'no number'",
    "SELECT IF(s = '(', ERROR('seen'), id) AS x FROM t ORDER BY 1"};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_NEIGHBOUR_QUERIES_H_
