-- DuckDB with JSON: one column, as JSONBench has it for DuckDB. Each query reads every document whole; json_extract_string of a
-- literal path is the fastest way into one.

-- load
CREATE TABLE events AS
SELECT json AS doc
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', records = false, columns = {json: 'JSON'});
CHECKPOINT;

-- query: q1
-- One path of each document.
SELECT doc ->> '$.commit.collection' AS collection, count(*) AS events
FROM events
GROUP BY collection
ORDER BY events DESC, collection;

-- query: q2
-- Four paths.
SELECT doc ->> '$.commit.collection' AS collection, count(*) AS events, count(DISTINCT doc ->> '$.did')
FROM events
WHERE (doc ->> '$.kind') = 'commit' AND (doc ->> '$.commit.operation') = 'create'
GROUP BY collection
ORDER BY events DESC, collection;

-- query: q3
-- Four paths; the time is a number.
SELECT doc ->> '$.commit.collection' AS collection, hour(make_timestamp(CAST(doc ->> '$.time_us' AS BIGINT))) AS hour_of_day,
       count(*) AS events
FROM events
WHERE (doc ->> '$.kind') = 'commit' AND (doc ->> '$.commit.operation') = 'create'
  AND (doc ->> '$.commit.collection') IN ('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')
GROUP BY collection, hour_of_day
ORDER BY hour_of_day, collection;

-- query: q4
-- The smallest number is taken first, and then made a time.
SELECT doc ->> '$.did' AS did, make_timestamp(min(CAST(doc ->> '$.time_us' AS BIGINT))) AS first_post
FROM events
WHERE (doc ->> '$.kind') = 'commit' AND (doc ->> '$.commit.operation') = 'create'
  AND (doc ->> '$.commit.collection') = 'app.bsky.feed.post'
GROUP BY did
ORDER BY first_post, did
LIMIT 3;

-- query: q5
-- As q4.
SELECT doc ->> '$.did' AS did,
       (max(CAST(doc ->> '$.time_us' AS BIGINT)) - min(CAST(doc ->> '$.time_us' AS BIGINT))) // 1000 AS span
FROM events
WHERE (doc ->> '$.kind') = 'commit' AND (doc ->> '$.commit.operation') = 'create'
  AND (doc ->> '$.commit.collection') = 'app.bsky.feed.post'
GROUP BY did
ORDER BY span DESC, did
LIMIT 3;
