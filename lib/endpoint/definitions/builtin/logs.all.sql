-- The logs of one project, newest first. A caller's own SQL may read each of these nine by its name; without one the edge
-- gateway's newest 100 are returned.
WITH
edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `cloudflare.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
postgres_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `postgres.logs` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
function_edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `deno-relay-logs` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project_ref = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
function_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `deno-subhosting-events` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project_ref = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
auth_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `gotrue.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
realtime_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `realtime.logs.prod` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
storage_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `storage.logs.prod.2` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
postgrest_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `postgREST.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
pgbouncer_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `pgbouncer.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
)
SELECT id, timestamp, event_message, metadata
FROM edge_logs
ORDER BY timestamp DESC, id
LIMIT 100
