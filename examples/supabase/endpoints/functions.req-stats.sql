-- How a function was called, by kind of status, and how long that took in milliseconds.
WITH
buckets AS (
  SELECT start FROM UNNEST(@bucket_timestamps) AS start
),
invocations AS (
  SELECT
    CASE
      WHEN @interval = '5min' THEN TIMESTAMP_TRUNC(t.timestamp, SECOND)
      WHEN @interval IN ('15min', '1hr', '3hr') THEN TIMESTAMP_TRUNC(t.timestamp, MINUTE)
      WHEN @interval = '7day' THEN TIMESTAMP_TRUNC(t.timestamp, DAY)
      ELSE TIMESTAMP_TRUNC(t.timestamp, HOUR)
    END AS bucket,
    COUNT(*) AS requests_count,
    COUNTIF(r.status_code BETWEEN 200 AND 299) AS success_count,
    COUNTIF(r.status_code BETWEEN 300 AND 399) AS redirect_count,
    COUNTIF(r.status_code BETWEEN 400 AND 499) AS client_err_count,
    COUNTIF(r.status_code BETWEEN 500 AND 599) AS server_err_count,
    AVG(m.execution_time_ms) AS avg_execution_time,
    MAX(m.execution_time_ms) AS max_execution_time
  FROM `deno-relay-logs` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.response) AS r
  WHERE m.project_ref = @project
    AND m.function_id = @function_id
    AND t.timestamp >= @bucket_timestamps[OFFSET(0)]
  GROUP BY bucket
)
SELECT
  buckets.start AS timestamp,
  IFNULL(invocations.requests_count, 0) AS count,
  IFNULL(invocations.success_count, 0) AS success_count,
  IFNULL(invocations.redirect_count, 0) AS redirect_count,
  IFNULL(invocations.client_err_count, 0) AS client_err_count,
  IFNULL(invocations.server_err_count, 0) AS server_err_count,
  IFNULL(invocations.avg_execution_time, 0) AS avg_execution_time,
  IFNULL(invocations.max_execution_time, 0) AS max_execution_time
FROM buckets
LEFT JOIN invocations ON invocations.bucket = buckets.start
ORDER BY timestamp ASC
