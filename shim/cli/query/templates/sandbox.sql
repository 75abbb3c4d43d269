-- @NAME@: callers send a SELECT of their own as the parameter sql.
--
-- It may read the WITH entries below by their names, and nothing else: no tables, and no entry that private_ctes of
-- @NAME@.json lists. What an entry leaves out, by its columns or its WHERE, no caller can read. Without sql the query at
-- the end answers.
--
--   logquery load --data data @DIR@/edge_logs.ndjson
--   logquery run --data data --endpoints @DIR@ --now 2026-01-15T12:00:00Z --format table @NAME@ project=one \
--     sql='select path, count(*) as n from requests group by path order by n desc'
WITH
bounds AS (
  SELECT TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL @hours HOUR) AS since
),
requests AS (
  SELECT t.id, t.timestamp, request.method, request.path, response.status_code
  FROM `cloudflare.logs.prod` AS t
  CROSS JOIN bounds
  LEFT JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.request) AS request
  LEFT JOIN UNNEST(m.response) AS response
  WHERE t.project = @project AND t.timestamp >= bounds.since
),
messages AS (
  SELECT t.id, t.timestamp, t.event_message
  FROM `postgres.logs` AS t
  CROSS JOIN bounds
  WHERE t.project = @project AND t.timestamp >= bounds.since
)
SELECT 'requests' AS log, COUNT(*) AS row_count FROM requests
UNION ALL
SELECT 'messages', COUNT(*) FROM messages
ORDER BY log
