-- ClickHouse by hand: MergeTree sorted by (project, timestamp), which is also its sparse index; hot columns beside one JSON text.
-- Projects are few and repeat, so they are LowCardinality. The primary index answers which granules a project's time has.

-- load
CREATE TABLE edge (
  id String, timestamp DateTime64(6, 'UTC'), event_message String, project LowCardinality(String), url String, path String,
  metadata String CODEC(ZSTD(1))
) ENGINE = MergeTree ORDER BY (project, timestamp) SETTINGS index_granularity = 1024;
INSERT INTO edge
SELECT JSONExtractString(json, 'id'), parseDateTime64BestEffort(JSONExtractString(json, 'timestamp'), 6, 'UTC'),
       JSONExtractString(json, 'event_message'), JSONExtractString(json, 'project'),
       JSONExtractString(json, 'metadata', 'request', 'url'), JSONExtractString(json, 'metadata', 'request', 'path'),
       JSONExtractRaw(json, 'metadata')
FROM file('{folder}/cloudflare.logs.prod.ndjson', 'LineAsString', 'json String');
CREATE TABLE relay (
  id String, timestamp DateTime64(6, 'UTC'), event_message String, project LowCardinality(String),
  execution_time_ms Nullable(Int64), status_code Int64, metadata String CODEC(ZSTD(1))
) ENGINE = MergeTree ORDER BY (project, timestamp) SETTINGS index_granularity = 1024;
INSERT INTO relay
SELECT JSONExtractString(json, 'id'), parseDateTime64BestEffort(JSONExtractString(json, 'timestamp'), 6, 'UTC'),
       JSONExtractString(json, 'event_message'), JSONExtractString(json, 'metadata', 'project_ref'),
       JSONExtract(json, 'metadata', 'execution_time_ms', 'Nullable(Int64)'),
       JSONExtractInt(json, 'metadata', 'response', 'status_code'), JSONExtractRaw(json, 'metadata')
FROM file('{folder}/deno-relay-logs.ndjson', 'LineAsString', 'json String');
OPTIMIZE TABLE edge FINAL;
OPTIMIZE TABLE relay FINAL;

-- query: newest
-- The key is read backwards from the project's end, and reading stops at the LIMIT. Wide columns are read lazily, for the rows of
-- the answer alone (query_plan_optimize_lazy_materialization, which is on by default).
SELECT id, timestamp, event_message, metadata
FROM edge
WHERE project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')}
ORDER BY timestamp DESC, id
LIMIT 100;

-- query: older
-- As newest, with an end.
SELECT id, timestamp, event_message, metadata
FROM edge
WHERE project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')} AND timestamp <= {end:DateTime64(6, 'UTC')}
ORDER BY timestamp DESC, id
LIMIT 100;

-- query: stats_minute
-- WITH FILL makes the empty buckets without a join. quantilesExact takes the element at floor(level * n), from 0; the levels are a
-- little lower, so that it is the one of rank ceil(level * n), from 1, that the others give.
SELECT bucket, if(calls = 0, NULL, low), if(calls = 0, NULL, high), if(calls = 0, NULL, mean), if(calls = 0, NULL, q[1]),
       if(calls = 0, NULL, q[2]), calls, errors
FROM (
  SELECT toStartOfMinute(timestamp) AS bucket, min(execution_time_ms) AS low, max(execution_time_ms) AS high,
         avg(execution_time_ms) AS mean, quantilesExact(0.949999999, 0.989999999)(execution_time_ms) AS q, count() AS calls,
         countIf(status_code >= 400) AS errors
  FROM relay
  WHERE project = {project:String} AND timestamp >= {first:DateTime64(6, 'UTC')}
  GROUP BY bucket
  ORDER BY bucket WITH FILL FROM toDateTime({first:DateTime64(6, 'UTC')}, 'UTC')
                            TO toDateTime({last:DateTime64(6, 'UTC')}, 'UTC') + INTERVAL 1 MINUTE STEP INTERVAL 1 MINUTE);

-- query: stats_day
-- As stats_minute, by the day.
SELECT bucket, if(calls = 0, NULL, low), if(calls = 0, NULL, high), if(calls = 0, NULL, mean), if(calls = 0, NULL, q[1]),
       if(calls = 0, NULL, q[2]), calls, errors
FROM (
  SELECT toDateTime(toStartOfDay(timestamp), 'UTC') AS bucket, min(execution_time_ms) AS low, max(execution_time_ms) AS high,
         avg(execution_time_ms) AS mean, quantilesExact(0.949999999, 0.989999999)(execution_time_ms) AS q, count() AS calls,
         countIf(status_code >= 400) AS errors
  FROM relay
  WHERE project = {project:String} AND timestamp >= {first:DateTime64(6, 'UTC')}
  GROUP BY bucket
  ORDER BY bucket WITH FILL FROM toDateTime({first:DateTime64(6, 'UTC')}, 'UTC')
                            TO toDateTime({last:DateTime64(6, 'UTC')}, 'UTC') + INTERVAL 1 DAY STEP INTERVAL 1 DAY);

-- query: counts_minute
-- The key selects the project's granules of the window; see duckdb.sql for why that answers the endpoint's question.
SELECT toStartOfMinute(timestamp) AS bucket, countIf(position(path, '/rest') > 0), countIf(position(path, '/storage') > 0),
       countIf(position(path, '/auth') > 0), countIf(position(path, '/realtime') > 0)
FROM edge
WHERE project = {project:String} AND position(url, {project:String}) > 0 AND timestamp >= {start:DateTime64(6, 'UTC')}
GROUP BY bucket
ORDER BY bucket;

-- query: counts_day
-- As counts_minute, by the day.
SELECT toDateTime(toStartOfDay(timestamp), 'UTC') AS bucket, countIf(position(path, '/rest') > 0),
       countIf(position(path, '/storage') > 0), countIf(position(path, '/auth') > 0), countIf(position(path, '/realtime') > 0)
FROM edge
WHERE project = {project:String} AND position(url, {project:String}) > 0 AND timestamp >= {start:DateTime64(6, 'UTC')}
GROUP BY bucket
ORDER BY bucket;

-- ingest
INSERT INTO edge
SELECT JSONExtractString(json, 'id'), parseDateTime64BestEffort(JSONExtractString(json, 'timestamp'), 6, 'UTC'),
       JSONExtractString(json, 'event_message'), JSONExtractString(json, 'project'),
       JSONExtractString(json, 'metadata', 'request', 'url'), JSONExtractString(json, 'metadata', 'request', 'path'),
       JSONExtractRaw(json, 'metadata')
FROM file('{folder}/more.ndjson', 'LineAsString', 'json String');
