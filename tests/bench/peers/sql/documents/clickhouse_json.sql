-- ClickHouse with its JSON type, laid out as JSONBench lays it out for ClickHouse: the paths that queries read have types and are
-- the sorting key, all other paths are shared data, compressed with ZSTD(1).

-- load
CREATE TABLE events (
  doc JSON(max_dynamic_paths = 0, kind LowCardinality(String), commit.operation LowCardinality(String),
           commit.collection LowCardinality(String), did String, time_us UInt64) CODEC(ZSTD(1))
) ENGINE = MergeTree
ORDER BY (doc.kind, doc.commit.operation, doc.commit.collection, doc.did, fromUnixTimestamp64Micro(doc.time_us))
SETTINGS object_serialization_version = 'v3', dynamic_serialization_version = 'v3',
         object_shared_data_serialization_version = 'advanced',
         object_shared_data_serialization_version_for_zero_level_parts = 'map_with_buckets';
INSERT INTO events SELECT json FROM file('{folder}/documents.ndjson', 'JSONAsObject', 'json JSON(max_dynamic_paths = 0)')
SETTINGS max_block_size = 8192;
OPTIMIZE TABLE events FINAL;

-- query: q1
-- A typed path is a column of its own.
SELECT nullIf(toString(doc.commit.collection), ''), count() AS events
FROM events
GROUP BY doc.commit.collection
ORDER BY events DESC, doc.commit.collection;

-- query: q2
-- The key selects a stretch of the table.
SELECT nullIf(toString(doc.commit.collection), ''), count() AS events, uniqExact(doc.did)
FROM events
WHERE doc.kind = 'commit' AND doc.commit.operation = 'create'
GROUP BY doc.commit.collection
ORDER BY events DESC, doc.commit.collection;

-- query: q3
-- The key selects three stretches.
SELECT doc.commit.collection AS event, toHour(fromUnixTimestamp64Micro(doc.time_us)) AS hour_of_day, count() AS events
FROM events
WHERE doc.kind = 'commit' AND doc.commit.operation = 'create'
  AND doc.commit.collection IN ('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')
GROUP BY event, hour_of_day
ORDER BY hour_of_day, event;

-- query: q4
-- One stretch.
SELECT doc.did AS user, fromUnixTimestamp64Micro(min(doc.time_us)) AS first_post
FROM events
WHERE doc.kind = 'commit' AND doc.commit.operation = 'create' AND doc.commit.collection = 'app.bsky.feed.post'
GROUP BY user
ORDER BY first_post, user
LIMIT 3;

-- query: q5
-- As q4.
SELECT doc.did AS user, intDiv(max(doc.time_us) - min(doc.time_us), 1000) AS span
FROM events
WHERE doc.kind = 'commit' AND doc.commit.operation = 'create' AND doc.commit.collection = 'app.bsky.feed.post'
GROUP BY user
ORDER BY span DESC, user
LIMIT 3;
