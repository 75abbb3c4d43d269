-- API requests by kind and bucket of time, for gateway rows whose URL matches a pattern.
WITH
requests AS (
  SELECT
    CASE
      WHEN @interval = 'hourly' THEN TIMESTAMP_TRUNC(t.timestamp, HOUR)
      WHEN @interval = 'minutely' THEN TIMESTAMP_TRUNC(t.timestamp, MINUTE)
      WHEN @interval = 'daily' THEN TIMESTAMP_TRUNC(t.timestamp, DAY)
    END AS bucket,
    r.path
  FROM `cloudflare.logs.prod` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  CROSS JOIN UNNEST(m.request) AS r
  WHERE REGEXP_CONTAINS(r.url, @project)
    AND t.timestamp >= @window_start
)
SELECT
  DATETIME(bucket, 'UTC') AS timestamp,
  COUNTIF(REGEXP_CONTAINS(path, '/rest')) AS total_rest_requests,
  COUNTIF(REGEXP_CONTAINS(path, '/storage')) AS total_storage_requests,
  COUNTIF(REGEXP_CONTAINS(path, '/auth')) AS total_auth_requests,
  COUNTIF(REGEXP_CONTAINS(path, '/realtime')) AS total_realtime_requests
FROM requests
GROUP BY timestamp
ORDER BY timestamp ASC
