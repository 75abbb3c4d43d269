-- @NAME@: requests at Cloudflare's edge, from Logpush.
--
-- The rows are those of the dataset http_requests. In the job, choose at least the fields that schema.json declares, and the
-- timestamp format rfc3339; for a job with unixnano, load with --timestamp-unit ns. Files in a bucket are gzipped NDJSON, as
-- `load` takes them. Other fields of the dataset are learned from rows. Each host is a project: a token of one project reads
-- that host's requests.
--
--   logquery load --data data --schema @DIR@/schema.json @DIR@/cloudflare_http.ndjson
--   logquery query --data data 'select ClientRequestURI, EdgeResponseStatus from cloudflare_http'
--   logquery run --data data --endpoints @DIR@ --now 2026-01-15T12:00:00Z --format table @NAME@
SELECT
  t.ClientRequestHost AS host,
  t.ClientRequestPath AS path,
  COUNT(*) AS requests,
  COUNTIF(t.EdgeResponseStatus >= 500) AS failed,
  COUNTIF(t.CacheCacheStatus = 'hit') AS cached,
  SUM(t.EdgeResponseBytes) AS bytes
FROM `cloudflare.http` AS t
WHERE t.EdgeStartTimestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL @hours HOUR)
  AND (@project IS NULL OR t.ClientRequestHost = @project)
GROUP BY host, path
ORDER BY requests DESC, host, path
