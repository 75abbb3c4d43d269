-- DuckDB by hand: what a user of DuckDB writes who knows these queries before the tables are made.
-- Rows lie sorted by project and time, so that a project's rows are few row groups and zone maps skip the rest. What queries filter
-- by and count are columns of their own; the rest of a row is one JSON text, which is fetched for the rows of the answer alone.

-- load
SET late_materialization_max_rows = 2000;
SET dynamic_or_filter_threshold = 2000;
CREATE TABLE edge AS
SELECT id, "timestamp", event_message, project, metadata ->> '$.request.url' AS url, metadata ->> '$.request.path' AS path,
       CAST(metadata AS VARCHAR) AS metadata
FROM read_json('{folder}/cloudflare.logs.prod.ndjson', format = 'newline_delimited',
               columns = {id: 'VARCHAR', timestamp: 'TIMESTAMP', event_message: 'VARCHAR', project: 'VARCHAR', metadata: 'JSON'})
ORDER BY project, "timestamp";
CREATE TABLE relay AS
SELECT id, "timestamp", event_message, metadata ->> '$.project_ref' AS project,
       CAST(metadata ->> '$.execution_time_ms' AS BIGINT) AS execution_time_ms,
       CAST(metadata ->> '$.response.status_code' AS BIGINT) AS status_code, CAST(metadata AS VARCHAR) AS metadata
FROM read_json('{folder}/deno-relay-logs.ndjson', format = 'newline_delimited',
               columns = {id: 'VARCHAR', timestamp: 'TIMESTAMP', event_message: 'VARCHAR', metadata: 'JSON'})
ORDER BY project, "timestamp";
CHECKPOINT;

-- query: newest
-- The engine's own late materialisation (the settings above; their defaults of 50 rows are below this LIMIT) sorts places and times
-- alone, and then fetches 100 rows by their places.
SELECT id, "timestamp", event_message, metadata
FROM edge
WHERE project = $project AND "timestamp" > $start::TIMESTAMP
ORDER BY "timestamp" DESC, id
LIMIT 100;

-- query: older
-- As newest, with an end.
SELECT id, "timestamp", event_message, metadata
FROM edge
WHERE project = $project AND "timestamp" > $start::TIMESTAMP AND "timestamp" <= $end::TIMESTAMP
ORDER BY "timestamp" DESC, id
LIMIT 100;

-- query: stats_minute
-- One pass over three narrow columns; both quantiles share one sorted state.
SELECT b.start, s.low, s.high, s.mean, s.q[1], s.q[2], coalesce(s.calls, 0), coalesce(s.errors, 0)
FROM (SELECT unnest(generate_series($first::TIMESTAMP, $last::TIMESTAMP, INTERVAL 1 MINUTE)) AS start) AS b
LEFT JOIN (
  SELECT date_trunc('minute', "timestamp") AS bucket, min(execution_time_ms) AS low, max(execution_time_ms) AS high,
         avg(execution_time_ms) AS mean, quantile_disc(execution_time_ms, [0.95, 0.99]) AS q, count(*) AS calls,
         count(*) FILTER (status_code >= 400) AS errors
  FROM relay
  WHERE project = $project AND "timestamp" >= $first::TIMESTAMP
  GROUP BY bucket) AS s ON s.bucket = b.start
ORDER BY b.start;

-- query: stats_day
-- As stats_minute, by the day.
SELECT b.start, s.low, s.high, s.mean, s.q[1], s.q[2], coalesce(s.calls, 0), coalesce(s.errors, 0)
FROM (SELECT unnest(generate_series($first::TIMESTAMP, $last::TIMESTAMP, INTERVAL 1 DAY)) AS start) AS b
LEFT JOIN (
  SELECT date_trunc('day', "timestamp") AS bucket, min(execution_time_ms) AS low, max(execution_time_ms) AS high,
         avg(execution_time_ms) AS mean, quantile_disc(execution_time_ms, [0.95, 0.99]) AS q, count(*) AS calls,
         count(*) FILTER (status_code >= 400) AS errors
  FROM relay
  WHERE project = $project AND "timestamp" >= $first::TIMESTAMP
  GROUP BY bucket) AS s ON s.bucket = b.start
ORDER BY b.start;

-- query: counts_minute
-- The endpoint asks for rows whose URL contains the project's name. Every row of a project has it in its host, so the sorted column
-- selects the same rows without reading a URL; the question about the URL stays in the query.
SELECT date_trunc('minute', "timestamp") AS bucket, count(*) FILTER (contains(path, '/rest')),
       count(*) FILTER (contains(path, '/storage')), count(*) FILTER (contains(path, '/auth')),
       count(*) FILTER (contains(path, '/realtime'))
FROM edge
WHERE project = $project AND contains(url, $project) AND "timestamp" >= $start::TIMESTAMP
GROUP BY bucket
ORDER BY bucket;

-- query: counts_day
-- As counts_minute, by the day.
SELECT date_trunc('day', "timestamp") AS bucket, count(*) FILTER (contains(path, '/rest')),
       count(*) FILTER (contains(path, '/storage')), count(*) FILTER (contains(path, '/auth')),
       count(*) FILTER (contains(path, '/realtime'))
FROM edge
WHERE project = $project AND contains(url, $project) AND "timestamp" >= $start::TIMESTAMP
GROUP BY bucket
ORDER BY bucket;

-- ingest
INSERT INTO edge
SELECT id, "timestamp", event_message, project, metadata ->> '$.request.url', metadata ->> '$.request.path',
       CAST(metadata AS VARCHAR)
FROM read_json('{folder}/more.ndjson', format = 'newline_delimited',
               columns = {id: 'VARCHAR', timestamp: 'TIMESTAMP', event_message: 'VARCHAR', project: 'VARCHAR', metadata: 'JSON'});
