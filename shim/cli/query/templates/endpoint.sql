-- @NAME@: requests of one project by status code.
--
-- The query is in the BigQuery dialect. @NAME@.json beside it has the settings:
--   max_rows           rows of an answer at most; an answer that is cut says so
--   caching            seconds that an answer is given again, or "disabled"; cache_warming makes it anew meanwhile
--   query_sandboxing   true: callers may send SQL of their own over this query's WITH entries (private_ctes hides some)
--   redact_pii         true: IP addresses are REDACTED in every answer
--   parameters         each @name of the query. Callers send texts, which are bound as values of these types, and never
--                      pasted. Without a value a parameter is its default, or NULL. A computed one is the service's.
-- `logquery check` finds what is wrong, `logquery test` runs the cases of @NAME@.cases.json.
SELECT
  response.status_code AS status_code,
  COUNT(*) AS requests,
  MAX(t.timestamp) AS newest
FROM `cloudflare.logs.prod` AS t
CROSS JOIN UNNEST(t.metadata) AS m
CROSS JOIN UNNEST(m.response) AS response
WHERE t.project = @project
  AND t.timestamp >= @period_start
  AND (@statuses IS NULL OR response.status_code IN UNNEST(@statuses))
GROUP BY status_code
ORDER BY requests DESC, status_code
