-- Rows of a web analytics log as they came: the log `hits` declares its time alone. The questions are ten of ClickBench's, in
-- BigQuery SQL, over the sandbox my.logs. Where equal values could come in any order, one more key decides.

-- query: q1
-- Rows that an advertisement brought (ClickBench's second query).
SELECT COUNT(*) AS n FROM hits WHERE AdvEngineID <> 0;

-- query: q2
-- Three aggregates over all rows (the third).
SELECT SUM(AdvEngineID) AS engines, COUNT(*) AS n, AVG(ResolutionWidth) AS width FROM hits;

-- query: q3
-- How many users (the fifth).
SELECT COUNT(DISTINCT UserID) AS users FROM hits;

-- query: q4
-- Few groups of few rows (the eighth).
SELECT AdvEngineID, COUNT(*) AS n FROM hits WHERE AdvEngineID <> 0 GROUP BY AdvEngineID ORDER BY n DESC, AdvEngineID;

-- query: q5
-- Users of each region (the ninth).
SELECT RegionID, COUNT(DISTINCT UserID) AS users FROM hits GROUP BY RegionID ORDER BY users DESC, RegionID LIMIT 10;

-- query: q6
-- The most frequent search phrases (the thirteenth).
SELECT SearchPhrase, COUNT(*) AS n
FROM hits
WHERE SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY n DESC, SearchPhrase LIMIT 10;

-- query: q7
-- The most active users: many groups (the sixteenth).
SELECT UserID, COUNT(*) AS n FROM hits GROUP BY UserID ORDER BY n DESC, UserID LIMIT 10;

-- query: q8
-- A text within another one (the twenty-first).
SELECT COUNT(*) AS n FROM hits WHERE URL LIKE '%google%';

-- query: q9
-- The most frequent pages: many groups of long texts (the thirty-fourth).
SELECT URL, COUNT(*) AS n FROM hits GROUP BY URL ORDER BY n DESC, URL LIMIT 10;

-- query: q10
-- Pages a minute of one counter, a page of the result (the last one).
SELECT TIMESTAMP_TRUNC(EventTime, MINUTE) AS minute, COUNT(*) AS n
FROM hits
WHERE CounterID = 0 AND IsRefresh = 0 AND DontCountHits = 0
GROUP BY minute
ORDER BY minute
LIMIT 10 OFFSET 10;
