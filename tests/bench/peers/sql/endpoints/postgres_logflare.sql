-- PostgreSQL in the layout that Logflare makes itself: a table for each log with id, body, event_message and timestamp, and a
-- B-tree on the time. Everything else is read out of body. It is not the best that PostgreSQL can do (postgres.sql is); it is where
-- those start who come from Logflare's PostgreSQL backend.

-- load
CREATE UNLOGGED TABLE lines (line jsonb);
CREATE TABLE edge (id varchar(255), body jsonb, event_message text, "timestamp" timestamp(6) without time zone);
-- copy: lines cloudflare.logs.prod.ndjson
INSERT INTO edge
SELECT line ->> 'id', line, line ->> 'event_message', (line ->> 'timestamp')::timestamptz AT TIME ZONE 'UTC'
FROM lines;
CREATE TABLE relay (id varchar(255), body jsonb, event_message text, "timestamp" timestamp(6) without time zone);
-- copy: lines deno-relay-logs.ndjson
INSERT INTO relay
SELECT line ->> 'id', line, line ->> 'event_message', (line ->> 'timestamp')::timestamptz AT TIME ZONE 'UTC'
FROM lines;
DROP TABLE lines;
CREATE INDEX ON edge ("timestamp");
CREATE INDEX ON relay ("timestamp");
VACUUM ANALYZE edge;
VACUUM ANALYZE relay;

-- query: newest
-- The index on the time is read backwards until 100 rows of the project have been met.
SELECT id, "timestamp", event_message, body -> 'metadata'
FROM edge
WHERE body ->> 'project' = $project::text AND "timestamp" > $start::timestamp
ORDER BY "timestamp" DESC, id
LIMIT 100;

-- query: older
-- As newest, with an end.
SELECT id, "timestamp", event_message, body -> 'metadata'
FROM edge
WHERE body ->> 'project' = $project::text AND "timestamp" > $start::timestamp AND "timestamp" <= $end::timestamp
ORDER BY "timestamp" DESC, id
LIMIT 100;

-- query: stats_minute
-- The index selects the window, body says whose a row is.
SELECT b.start, s.low, s.high, s.mean, s.q[1], s.q[2], coalesce(s.calls, 0), coalesce(s.errors, 0)
FROM generate_series($first::timestamp, $last::timestamp, interval '1 minute') AS b (start)
LEFT JOIN (
  SELECT bucket, min(ms) AS low, max(ms) AS high, avg(ms)::float8 AS mean,
         percentile_disc(array[0.95, 0.99]) WITHIN GROUP (ORDER BY ms) AS q, count(*) AS calls,
         count(*) FILTER (WHERE status >= 400) AS errors
  FROM (SELECT date_trunc('minute', "timestamp") AS bucket, (body #>> '{metadata,execution_time_ms}')::bigint AS ms,
               (body #>> '{metadata,response,status_code}')::bigint AS status
        FROM relay
        WHERE body #>> '{metadata,project_ref}' = $project::text AND "timestamp" >= $first::timestamp) AS calls
  GROUP BY bucket) AS s ON s.bucket = b.start
ORDER BY b.start;

-- query: stats_day
-- As stats_minute, by the day.
SELECT b.start, s.low, s.high, s.mean, s.q[1], s.q[2], coalesce(s.calls, 0), coalesce(s.errors, 0)
FROM generate_series($first::timestamp, $last::timestamp, interval '1 day') AS b (start)
LEFT JOIN (
  SELECT bucket, min(ms) AS low, max(ms) AS high, avg(ms)::float8 AS mean,
         percentile_disc(array[0.95, 0.99]) WITHIN GROUP (ORDER BY ms) AS q, count(*) AS calls,
         count(*) FILTER (WHERE status >= 400) AS errors
  FROM (SELECT date_trunc('day', "timestamp") AS bucket, (body #>> '{metadata,execution_time_ms}')::bigint AS ms,
               (body #>> '{metadata,response,status_code}')::bigint AS status
        FROM relay
        WHERE body #>> '{metadata,project_ref}' = $project::text AND "timestamp" >= $first::timestamp) AS calls
  GROUP BY bucket) AS s ON s.bucket = b.start
ORDER BY b.start;

-- query: counts_minute
-- There is no column of the project; the URL is asked, as the endpoint does.
SELECT date_trunc('minute', "timestamp") AS bucket, count(*) FILTER (WHERE strpos(path, '/rest') > 0),
       count(*) FILTER (WHERE strpos(path, '/storage') > 0), count(*) FILTER (WHERE strpos(path, '/auth') > 0),
       count(*) FILTER (WHERE strpos(path, '/realtime') > 0)
FROM (SELECT "timestamp", body #>> '{metadata,request,path}' AS path
      FROM edge
      WHERE strpos(body #>> '{metadata,request,url}', $project::text) > 0 AND "timestamp" >= $start::timestamp) AS requests
GROUP BY bucket
ORDER BY bucket;

-- query: counts_day
-- As counts_minute, by the day.
SELECT date_trunc('day', "timestamp") AS bucket, count(*) FILTER (WHERE strpos(path, '/rest') > 0),
       count(*) FILTER (WHERE strpos(path, '/storage') > 0), count(*) FILTER (WHERE strpos(path, '/auth') > 0),
       count(*) FILTER (WHERE strpos(path, '/realtime') > 0)
FROM (SELECT "timestamp", body #>> '{metadata,request,path}' AS path
      FROM edge
      WHERE strpos(body #>> '{metadata,request,url}', $project::text) > 0 AND "timestamp" >= $start::timestamp) AS requests
GROUP BY bucket
ORDER BY bucket;

-- ingest
CREATE UNLOGGED TABLE lines (line jsonb);
-- copy: lines more.ndjson
INSERT INTO edge
SELECT line ->> 'id', line, line ->> 'event_message', (line ->> 'timestamp')::timestamptz AT TIME ZONE 'UTC'
FROM lines;
DROP TABLE lines;
