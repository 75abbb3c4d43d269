-- The logs of one project, newest first, as Studio's pages read them: each by its name. Rows of pg_cron are rows of postgres_logs.
-- Without a caller's SQL the newest 100 of the gateway are returned.
WITH
edge_logs AS (
  SELECT t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  FROM `cloudflare.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
postgres_logs AS (
  SELECT t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  FROM `postgres.logs` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
pg_cron_logs AS (
  SELECT t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  FROM `postgres.logs` AS t
  LEFT JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.parsed) AS p
  WHERE t.project = @project
    AND (p.application_name = 'pg_cron' OR t.event_message LIKE '%cron job%')
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
auth_audit_logs AS (
  SELECT t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  FROM `auth_audit.logs.prod` AS t
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
  SELECT t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  FROM `postgREST.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
pgbouncer_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.file, t.project, t.metadata
  FROM `pgbouncer.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
supavisor_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `supavisor.logs.prod` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
pg_upgrade_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM `pg_upgrade.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
etl_replication_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.pipeline_id, t.level, t.metadata
  FROM `etl_replication.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
multigres_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.cluster, t.component, t.level, t.namespace, t.node_name, t.pod_name, t.project, t.region, t.stack, t.metadata
  FROM `multigres.logs.prod` AS t
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
