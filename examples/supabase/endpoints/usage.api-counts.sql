-- Requests to the API by kind, for the charts on a project's first page. The stack's gateway logs paths and no URLs, so rows are found
-- by their project and not, as the built-in endpoint of this name does, by a pattern of the URL.
WITH
requests AS (
  SELECT
    CASE
      WHEN @interval IN ('daily', '7day') THEN TIMESTAMP_TRUNC(t.timestamp, DAY)
      WHEN @interval IN ('hourly', '1day', '3day') THEN TIMESTAMP_TRUNC(t.timestamp, HOUR)
      ELSE TIMESTAMP_TRUNC(t.timestamp, MINUTE)
    END AS bucket,
    r.path
  FROM `cloudflare.logs.prod` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  CROSS JOIN UNNEST(m.request) AS r
  WHERE t.project = @project
    AND t.timestamp >= @window_start
)
SELECT
  DATETIME(bucket, 'UTC') AS timestamp,
  COUNTIF(path LIKE '/rest/%' OR path LIKE '/graphql/%') AS total_rest_requests,
  COUNTIF(path LIKE '/storage/%') AS total_storage_requests,
  COUNTIF(path LIKE '/auth/%') AS total_auth_requests,
  COUNTIF(path LIKE '/realtime/%') AS total_realtime_requests
FROM requests
GROUP BY timestamp
ORDER BY timestamp ASC
