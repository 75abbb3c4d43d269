-- How a project's functions were called: one row for every bucket of time, also for those without a call.
WITH
buckets AS (
  SELECT start FROM UNNEST(@bucket_timestamps) AS start
),
invocations AS (
  SELECT
    CASE
      WHEN @interval = '5min' THEN TIMESTAMP_TRUNC(t.timestamp, SECOND)
      WHEN @interval = '15min' THEN TIMESTAMP_TRUNC(t.timestamp, MINUTE)
      WHEN @interval = '1hr' THEN TIMESTAMP_TRUNC(t.timestamp, MINUTE)
      WHEN @interval = '7day' THEN TIMESTAMP_TRUNC(t.timestamp, DAY)
      ELSE TIMESTAMP_TRUNC(t.timestamp, HOUR)
    END AS bucket,
    m.execution_time_ms,
    r.status_code
  FROM `deno-relay-logs` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.response) AS r
  WHERE m.project_ref = @project
    AND (@function_id IS NULL OR m.function_id = @function_id)
    AND t.timestamp >= @bucket_timestamps[OFFSET(0)]
),
stats AS (
  SELECT
    bucket,
    MIN(execution_time_ms) AS min_execution_time,
    MAX(execution_time_ms) AS max_execution_time,
    AVG(execution_time_ms) AS avg_execution_time,
    APPROX_QUANTILES(execution_time_ms, 100) AS quantiles,
    COUNT(*) AS count,
    COUNTIF(status_code >= 400) AS error_count,
    COUNTIF(status_code >= 100 AND status_code < 200) AS one_xx_count,
    COUNTIF(status_code >= 200 AND status_code < 300) AS two_xx_count,
    COUNTIF(status_code >= 300 AND status_code < 400) AS three_xx_count,
    COUNTIF(status_code >= 400 AND status_code < 500) AS four_xx_count,
    COUNTIF(status_code >= 500 AND status_code < 600) AS five_xx_count
  FROM invocations
  GROUP BY bucket
)
SELECT
  buckets.start AS timestamp,
  stats.min_execution_time,
  stats.max_execution_time,
  stats.avg_execution_time,
  stats.quantiles[OFFSET(95)] AS p95_execution_time,
  stats.quantiles[OFFSET(99)] AS p99_execution_time,
  IFNULL(stats.count, 0) AS count,
  IFNULL(stats.error_count, 0) AS error_count
FROM buckets
LEFT JOIN stats ON stats.bucket = buckets.start
ORDER BY timestamp ASC
