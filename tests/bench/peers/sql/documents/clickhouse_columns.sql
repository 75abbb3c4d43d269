-- ClickHouse with columns: what the queries read are columns and the sorting key, the document is text beside them.

-- load
CREATE TABLE events (
  kind LowCardinality(String), operation LowCardinality(String), collection LowCardinality(String), did String,
  time_us DateTime64(6, 'UTC'), doc String CODEC(ZSTD(1))
) ENGINE = MergeTree ORDER BY (kind, operation, collection, did, time_us);
INSERT INTO events
SELECT JSONExtractString(json, 'kind'), JSONExtractString(json, 'commit', 'operation'),
       JSONExtractString(json, 'commit', 'collection'), JSONExtractString(json, 'did'),
       fromUnixTimestamp64Micro(JSONExtractInt(json, 'time_us'), 'UTC'), json
FROM file('{folder}/documents.ndjson', 'LineAsString', 'json String');
OPTIMIZE TABLE events FINAL;

-- query: q1
-- One column is read; an absent value is an empty text in ClickHouse, NULL elsewhere.
SELECT nullIf(toString(collection), ''), count() AS events FROM events GROUP BY collection ORDER BY events DESC, collection;

-- query: q2
-- The key selects a stretch of the table. uniqExact counts exactly, as the others do.
SELECT nullIf(toString(collection), ''), count() AS events, uniqExact(did)
FROM events
WHERE kind = 'commit' AND operation = 'create'
GROUP BY collection
ORDER BY events DESC, collection;

-- query: q3
-- The key selects three stretches.
SELECT collection, toHour(time_us) AS hour_of_day, count() AS events
FROM events
WHERE kind = 'commit' AND operation = 'create'
  AND collection IN ('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')
GROUP BY collection, hour_of_day
ORDER BY hour_of_day, collection;

-- query: q4
-- One stretch.
SELECT did, min(time_us) AS first_post
FROM events
WHERE kind = 'commit' AND operation = 'create' AND collection = 'app.bsky.feed.post'
GROUP BY did
ORDER BY first_post, did
LIMIT 3;

-- query: q5
-- As q4.
SELECT did, intDiv(toUnixTimestamp64Micro(max(time_us)) - toUnixTimestamp64Micro(min(time_us)), 1000) AS span
FROM events
WHERE kind = 'commit' AND operation = 'create' AND collection = 'app.bsky.feed.post'
GROUP BY did
ORDER BY span DESC, did
LIMIT 3;
