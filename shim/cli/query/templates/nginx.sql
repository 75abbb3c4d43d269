-- @NAME@: requests of an nginx server by path.
--
-- The rows are nginx's access log in JSON. In nginx.conf, in the block http:
--
--   log_format logquery escape=json
--     '{"time":"$time_iso8601","id":"$request_id","host":"$host","remote_addr":"$remote_addr",'
--     '"method":"$request_method","path":"$uri","args":"$args","status":$status,"bytes":$body_bytes_sent,'
--     '"seconds":$request_time,"upstream_seconds":"$upstream_response_time","referer":"$http_referer",'
--     '"agent":"$http_user_agent","request":"$request"}';
--   access_log /var/log/nginx/nginx_access.ndjson logquery;
--
-- schema.json declares the log nginx_access. Each host is a project: a token of one project reads that host's requests.
--
--   logquery load --data data --schema @DIR@/schema.json @DIR@/nginx_access.ndjson
--   logquery query --data data 'select path, status from nginx_access where status >= 500'
--   logquery run --data data --endpoints @DIR@ --now 2026-01-15T12:00:00Z --format table @NAME@
SELECT
  t.path AS path,
  COUNT(*) AS requests,
  COUNTIF(t.status >= 500) AS failed,
  MAX(t.seconds) AS longest_seconds,
  SUM(t.bytes) AS bytes
FROM `nginx.access` AS t
WHERE t.time >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL @hours HOUR)
  AND (@project IS NULL OR t.host = @project)
GROUP BY path
ORDER BY requests DESC, path
