-- PostgreSQL by hand: Logflare's columns, and what queries filter by and count as columns of their own. The B-tree on
-- (project, timestamp) hands a project's newest rows over in order; INCLUDE makes counts a scan of the index alone.

-- load
CREATE UNLOGGED TABLE lines (line jsonb);
CREATE TABLE edge (
  id varchar(255), body jsonb, event_message text, "timestamp" timestamp(6) without time zone, project text COLLATE "C",
  url text, path text);
-- copy: lines cloudflare.logs.prod.ndjson
INSERT INTO edge
SELECT line ->> 'id', line, line ->> 'event_message', (line ->> 'timestamp')::timestamptz AT TIME ZONE 'UTC', line ->> 'project',
       line #>> '{metadata,request,url}', line #>> '{metadata,request,path}'
FROM lines;
CREATE TABLE relay (
  id varchar(255), body jsonb, event_message text, "timestamp" timestamp(6) without time zone, project text COLLATE "C",
  execution_time_ms bigint, status_code bigint);
-- copy: lines deno-relay-logs.ndjson
INSERT INTO relay
SELECT line ->> 'id', line, line ->> 'event_message', (line ->> 'timestamp')::timestamptz AT TIME ZONE 'UTC',
       line #>> '{metadata,project_ref}', (line #>> '{metadata,execution_time_ms}')::bigint,
       (line #>> '{metadata,response,status_code}')::bigint
FROM lines;
DROP TABLE lines;
CREATE INDEX ON edge (project, "timestamp") INCLUDE (path, url);
CREATE INDEX ON relay (project, "timestamp") INCLUDE (execution_time_ms, status_code);
VACUUM ANALYZE edge;
VACUUM ANALYZE relay;

-- query: newest
-- The index is read backwards; 100 heap rows are fetched, and the rows of equal times are sorted by id in small groups.
SELECT id, "timestamp", event_message, body -> 'metadata'
FROM edge
WHERE project = $project::text AND "timestamp" > $start::timestamp
ORDER BY "timestamp" DESC, id
LIMIT 100;

-- query: older
-- As newest, with an end.
SELECT id, "timestamp", event_message, body -> 'metadata'
FROM edge
WHERE project = $project::text AND "timestamp" > $start::timestamp AND "timestamp" <= $end::timestamp
ORDER BY "timestamp" DESC, id
LIMIT 100;

-- query: stats_minute
-- A scan of the index alone; both percentiles share one sort of a bucket's values.
SELECT b.start, s.low, s.high, s.mean, s.q[1], s.q[2], coalesce(s.calls, 0), coalesce(s.errors, 0)
FROM generate_series($first::timestamp, $last::timestamp, interval '1 minute') AS b (start)
LEFT JOIN (
  SELECT date_trunc('minute', "timestamp") AS bucket, min(execution_time_ms) AS low, max(execution_time_ms) AS high,
         avg(execution_time_ms)::float8 AS mean, percentile_disc(array[0.95, 0.99]) WITHIN GROUP (ORDER BY execution_time_ms) AS q,
         count(*) AS calls, count(*) FILTER (WHERE status_code >= 400) AS errors
  FROM relay
  WHERE project = $project::text AND "timestamp" >= $first::timestamp
  GROUP BY bucket) AS s ON s.bucket = b.start
ORDER BY b.start;

-- query: stats_day
-- As stats_minute, by the day.
SELECT b.start, s.low, s.high, s.mean, s.q[1], s.q[2], coalesce(s.calls, 0), coalesce(s.errors, 0)
FROM generate_series($first::timestamp, $last::timestamp, interval '1 day') AS b (start)
LEFT JOIN (
  SELECT date_trunc('day', "timestamp") AS bucket, min(execution_time_ms) AS low, max(execution_time_ms) AS high,
         avg(execution_time_ms)::float8 AS mean, percentile_disc(array[0.95, 0.99]) WITHIN GROUP (ORDER BY execution_time_ms) AS q,
         count(*) AS calls, count(*) FILTER (WHERE status_code >= 400) AS errors
  FROM relay
  WHERE project = $project::text AND "timestamp" >= $first::timestamp
  GROUP BY bucket) AS s ON s.bucket = b.start
ORDER BY b.start;

-- query: counts_minute
-- A scan of the index alone; see duckdb.sql for why the project's column answers the endpoint's question.
SELECT date_trunc('minute', "timestamp") AS bucket, count(*) FILTER (WHERE strpos(path, '/rest') > 0),
       count(*) FILTER (WHERE strpos(path, '/storage') > 0), count(*) FILTER (WHERE strpos(path, '/auth') > 0),
       count(*) FILTER (WHERE strpos(path, '/realtime') > 0)
FROM edge
WHERE project = $project::text AND strpos(url, $project::text) > 0 AND "timestamp" >= $start::timestamp
GROUP BY bucket
ORDER BY bucket;

-- query: counts_day
-- As counts_minute, by the day.
SELECT date_trunc('day', "timestamp") AS bucket, count(*) FILTER (WHERE strpos(path, '/rest') > 0),
       count(*) FILTER (WHERE strpos(path, '/storage') > 0), count(*) FILTER (WHERE strpos(path, '/auth') > 0),
       count(*) FILTER (WHERE strpos(path, '/realtime') > 0)
FROM edge
WHERE project = $project::text AND strpos(url, $project::text) > 0 AND "timestamp" >= $start::timestamp
GROUP BY bucket
ORDER BY bucket;

-- ingest
CREATE UNLOGGED TABLE lines (line jsonb);
-- copy: lines more.ndjson
INSERT INTO edge
SELECT line ->> 'id', line, line ->> 'event_message', (line ->> 'timestamp')::timestamptz AT TIME ZONE 'UTC', line ->> 'project',
       line #>> '{metadata,request,url}', line #>> '{metadata,request,path}'
FROM lines;
DROP TABLE lines;
