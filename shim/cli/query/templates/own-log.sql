-- @NAME@: failed requests by path, of a log of one's own.
--
-- schema.json declares the log: its columns, which of them is the time of a row, and which says whose a row is. Fields that
-- it does not declare are learned from rows. `logquery schema --infer FILE` writes it by rows that you have.
--
--   logquery load --data data --schema @DIR@/schema.json @DIR@/app_logs.ndjson
--   logquery query --data data 'select msg, http.path from app_logs'
--   logquery run --data data --endpoints @DIR@ --now 2026-01-15T12:00:00Z --format table @NAME@
SELECT
  t.http.path AS path,
  COUNT(*) AS failed,
  MAX(t.ts) AS newest
FROM `app.logs` AS t
WHERE t.http.status >= 500
  AND t.ts >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL @hours HOUR)
  AND (@project IS NULL OR t.tenant = @project)
GROUP BY path
ORDER BY failed DESC, path
