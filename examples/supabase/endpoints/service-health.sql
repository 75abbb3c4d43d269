-- How each service does, for Studio's overview: for every bucket of time with rows, one record a log with the number of its rows that
-- are errors, warnings and neither. PostgREST's rows have no level, so that all of them are ok.
WITH
events AS (
  SELECT
    t.timestamp,
    'edge_logs' AS log,
    CASE WHEN r.status_code >= 500 THEN 'error' WHEN r.status_code >= 400 THEN 'warning' ELSE 'ok' END AS state
  FROM `cloudflare.logs.prod` AS t
  LEFT JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.response) AS r
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'postgres_logs',
    CASE WHEN LOWER(p.error_severity) IN ('error', 'fatal', 'panic') THEN 'error' WHEN LOWER(p.error_severity) IN ('warning', 'warn') THEN 'warning' ELSE 'ok' END
  FROM `postgres.logs` AS t
  LEFT JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.parsed) AS p
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'auth_logs',
    CASE
      WHEN LOWER(m.level) IN ('error', 'fatal', 'panic') OR SAFE_CAST(m.status AS INT64) >= 500 THEN 'error'
      WHEN LOWER(m.level) IN ('warning', 'warn') OR SAFE_CAST(m.status AS INT64) >= 400 THEN 'warning'
      ELSE 'ok'
    END
  FROM `gotrue.logs.prod` AS t
  LEFT JOIN UNNEST(t.metadata) AS m
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'function_edge_logs',
    CASE WHEN r.status_code >= 500 THEN 'error' WHEN r.status_code >= 400 THEN 'warning' ELSE 'ok' END
  FROM `deno-relay-logs` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.response) AS r
  WHERE m.project_ref = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'function_logs',
    CASE WHEN LOWER(m.level) IN ('error', 'fatal', 'panic') THEN 'error' WHEN LOWER(m.level) IN ('warning', 'warn') THEN 'warning' ELSE 'ok' END
  FROM `deno-subhosting-events` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project_ref = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'storage_logs',
    CASE
      WHEN LOWER(m.level) IN ('error', 'fatal', 'panic') OR r.statusCode >= 500 THEN 'error'
      WHEN LOWER(m.level) IN ('warning', 'warn') OR r.statusCode >= 400 THEN 'warning'
      ELSE 'ok'
    END
  FROM `storage.logs.prod.2` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.res) AS r
  WHERE m.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'realtime_logs',
    CASE WHEN LOWER(m.level) IN ('error', 'fatal', 'panic') THEN 'error' WHEN LOWER(m.level) IN ('warning', 'warn') THEN 'warning' ELSE 'ok' END
  FROM `realtime.logs.prod` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'postgrest_logs',
    'ok'
  FROM `postgREST.logs.prod` AS t
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'supavisor_logs',
    CASE WHEN LOWER(m.level) IN ('error', 'fatal', 'panic') THEN 'error' WHEN LOWER(m.level) IN ('warning', 'warn') THEN 'warning' ELSE 'ok' END
  FROM `supavisor.logs.prod` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE m.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
  UNION ALL
  SELECT
    t.timestamp,
    'etl_replication_logs',
    CASE WHEN LOWER(IFNULL(t.level, m.level)) IN ('error', 'fatal', 'panic') THEN 'error' WHEN LOWER(IFNULL(t.level, m.level)) IN ('warning', 'warn') THEN 'warning' ELSE 'ok' END
  FROM `etl_replication.logs.prod` AS t
  LEFT JOIN UNNEST(t.metadata) AS m
  WHERE t.project = @project
    AND t.timestamp > @retention_start
    AND t.timestamp > @iso_timestamp_start
    AND t.timestamp <= @iso_timestamp_end
),
counts AS (
  SELECT
    CASE @granularity
      WHEN 'minute' THEN TIMESTAMP_TRUNC(timestamp, MINUTE)
      WHEN 'day' THEN TIMESTAMP_TRUNC(timestamp, DAY)
      ELSE TIMESTAMP_TRUNC(timestamp, HOUR)
    END AS bucket,
    log,
    @lql IS NULL OR @lql = CONCAT('s:', log) AS wanted,
    COUNTIF(state = 'error') AS error,
    COUNTIF(state = 'warning') AS warning,
    COUNTIF(state = 'ok') AS ok
  FROM events
  GROUP BY bucket, log
)
SELECT
  bucket AS timestamp,
  SUM(IF(wanted, ok, 0)) AS ok_count,
  SUM(IF(wanted, warning, 0)) AS warning_count,
  SUM(IF(wanted, error, 0)) AS error_count,
  STRUCT(
    SUM(IF(log = 'edge_logs', error, 0)) AS error,
    SUM(IF(log = 'edge_logs', warning, 0)) AS warning,
    SUM(IF(log = 'edge_logs', ok, 0)) AS ok,
    SUM(IF(log = 'edge_logs', error + warning + ok, 0)) AS total
  ) AS edge_logs,
  STRUCT(
    SUM(IF(log = 'postgres_logs', error, 0)) AS error,
    SUM(IF(log = 'postgres_logs', warning, 0)) AS warning,
    SUM(IF(log = 'postgres_logs', ok, 0)) AS ok,
    SUM(IF(log = 'postgres_logs', error + warning + ok, 0)) AS total
  ) AS postgres_logs,
  STRUCT(
    SUM(IF(log = 'auth_logs', error, 0)) AS error,
    SUM(IF(log = 'auth_logs', warning, 0)) AS warning,
    SUM(IF(log = 'auth_logs', ok, 0)) AS ok,
    SUM(IF(log = 'auth_logs', error + warning + ok, 0)) AS total
  ) AS auth_logs,
  STRUCT(
    SUM(IF(log = 'function_edge_logs', error, 0)) AS error,
    SUM(IF(log = 'function_edge_logs', warning, 0)) AS warning,
    SUM(IF(log = 'function_edge_logs', ok, 0)) AS ok,
    SUM(IF(log = 'function_edge_logs', error + warning + ok, 0)) AS total
  ) AS function_edge_logs,
  STRUCT(
    SUM(IF(log = 'function_logs', error, 0)) AS error,
    SUM(IF(log = 'function_logs', warning, 0)) AS warning,
    SUM(IF(log = 'function_logs', ok, 0)) AS ok,
    SUM(IF(log = 'function_logs', error + warning + ok, 0)) AS total
  ) AS function_logs,
  STRUCT(
    SUM(IF(log = 'storage_logs', error, 0)) AS error,
    SUM(IF(log = 'storage_logs', warning, 0)) AS warning,
    SUM(IF(log = 'storage_logs', ok, 0)) AS ok,
    SUM(IF(log = 'storage_logs', error + warning + ok, 0)) AS total
  ) AS storage_logs,
  STRUCT(
    SUM(IF(log = 'realtime_logs', error, 0)) AS error,
    SUM(IF(log = 'realtime_logs', warning, 0)) AS warning,
    SUM(IF(log = 'realtime_logs', ok, 0)) AS ok,
    SUM(IF(log = 'realtime_logs', error + warning + ok, 0)) AS total
  ) AS realtime_logs,
  STRUCT(
    SUM(IF(log = 'postgrest_logs', error, 0)) AS error,
    SUM(IF(log = 'postgrest_logs', warning, 0)) AS warning,
    SUM(IF(log = 'postgrest_logs', ok, 0)) AS ok,
    SUM(IF(log = 'postgrest_logs', error + warning + ok, 0)) AS total
  ) AS postgrest_logs,
  STRUCT(
    SUM(IF(log = 'supavisor_logs', error, 0)) AS error,
    SUM(IF(log = 'supavisor_logs', warning, 0)) AS warning,
    SUM(IF(log = 'supavisor_logs', ok, 0)) AS ok,
    SUM(IF(log = 'supavisor_logs', error + warning + ok, 0)) AS total
  ) AS supavisor_logs,
  STRUCT(
    SUM(IF(log = 'etl_replication_logs', error, 0)) AS error,
    SUM(IF(log = 'etl_replication_logs', warning, 0)) AS warning,
    SUM(IF(log = 'etl_replication_logs', ok, 0)) AS ok,
    SUM(IF(log = 'etl_replication_logs', error + warning + ok, 0)) AS total
  ) AS etl_replication_logs
FROM counts
GROUP BY timestamp
ORDER BY timestamp ASC
