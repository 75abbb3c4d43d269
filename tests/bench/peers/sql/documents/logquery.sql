-- Documents as they came: the log `bluesky` declares its time alone, and everything else is learned from the rows. The queries are
-- those of JSONBench in BigQuery SQL, over the sandbox my.logs. Where equal values could come in any order, one more key decides.

-- query: q1
-- How many events each collection has.
SELECT commit.collection AS event, COUNT(*) AS events
FROM bluesky
GROUP BY event
ORDER BY events DESC, event;

-- query: q2
-- What is created, and by how many users.
SELECT commit.collection AS event, COUNT(*) AS events, COUNT(DISTINCT did) AS users
FROM bluesky
WHERE kind = 'commit' AND commit.operation = 'create'
GROUP BY event
ORDER BY events DESC, event;

-- query: q3
-- At what hour of the day people post, repost and like.
SELECT commit.collection AS event, EXTRACT(HOUR FROM time_us) AS hour_of_day, COUNT(*) AS events
FROM bluesky
WHERE kind = 'commit' AND commit.operation = 'create'
  AND commit.collection IN ('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')
GROUP BY event, hour_of_day
ORDER BY hour_of_day, event;

-- query: q4
-- The three users who posted first.
SELECT did AS user, MIN(time_us) AS first_post
FROM bluesky
WHERE kind = 'commit' AND commit.operation = 'create' AND commit.collection = 'app.bsky.feed.post'
GROUP BY user
ORDER BY first_post, user
LIMIT 3;

-- query: q5
-- The three users whose first and last post lie the farthest apart, in milliseconds.
SELECT did AS user, TIMESTAMP_DIFF(MAX(time_us), MIN(time_us), MILLISECOND) AS span
FROM bluesky
WHERE kind = 'commit' AND commit.operation = 'create' AND commit.collection = 'app.bsky.feed.post'
GROUP BY user
ORDER BY span DESC, user
LIMIT 3;
