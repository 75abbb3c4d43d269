SELECT
  @kind AS kind, @kinds AS kinds, @at AS `at`, @times AS times, @day AS day, @ratio AS ratio, @switched_on AS switched_on,
  @count AS count, @level AS level, @numbers AS numbers, @texts AS texts, @url AS url,
  9007199254740993 AS big, CAST('12.50' AS NUMERIC) AS price, CAST('1e38' AS BIGNUMERIC) AS huge, b'\x00\xff' AS raw,
  DATETIME '2026-01-31 08:00:00' AS local_time, TIME '08:30:00' AS clock, JSON '{"a":[1]}' AS document,
  STRUCT(1 AS x, STRUCT('deep' AS y) AS inner_pair) AS pair, [STRUCT(1 AS x), STRUCT(2 AS x)] AS pairs,
  CAST('nan' AS FLOAT64) AS not_a_number, CAST('-inf' AS FLOAT64) AS least, CAST(NULL AS STRING) AS nothing,
  TIMESTAMP '1969-12-31 23:59:59.999999+00' AS before_epoch
