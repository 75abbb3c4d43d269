-- DuckDB with columns: what the queries read are columns, the document is text beside them. Rows lie in the order in which they came,
-- as logquery's do; JSONBench itself does not allow columns like these.

-- load
CREATE TABLE events AS
SELECT json ->> '$.kind' AS kind, json ->> '$.commit.operation' AS operation, json ->> '$.commit.collection' AS collection,
       json ->> '$.did' AS did, make_timestamp(CAST(json ->> '$.time_us' AS BIGINT)) AS time_us, CAST(json AS VARCHAR) AS doc
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', records = false, columns = {json: 'JSON'});
CHECKPOINT;

-- query: q1
-- One column is read.
SELECT collection, count(*) AS events FROM events GROUP BY collection ORDER BY events DESC, collection;

-- query: q2
-- Three columns with few values, of which two select.
SELECT collection, count(*) AS events, count(DISTINCT did)
FROM events
WHERE kind = 'commit' AND operation = 'create'
GROUP BY collection
ORDER BY events DESC, collection;

-- query: q3
-- Comparisons with constants are decided on the dictionaries of the columns.
SELECT collection, hour(time_us) AS hour_of_day, count(*) AS events
FROM events
WHERE kind = 'commit' AND operation = 'create'
  AND collection IN ('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')
GROUP BY collection, hour_of_day
ORDER BY hour_of_day, collection;

-- query: q4
-- As q3.
SELECT did, min(time_us) AS first_post
FROM events
WHERE kind = 'commit' AND operation = 'create' AND collection = 'app.bsky.feed.post'
GROUP BY did
ORDER BY first_post, did
LIMIT 3;

-- query: q5
-- As q4. The difference of two numbers, not of two calendars.
SELECT did, (epoch_us(max(time_us)) - epoch_us(min(time_us))) // 1000 AS span
FROM events
WHERE kind = 'commit' AND operation = 'create' AND collection = 'app.bsky.feed.post'
GROUP BY did
ORDER BY span DESC, did
LIMIT 3;
