-- ClickHouse with columns: MergeTree sorted by counter and time, as ClickBench has it.

-- load
CREATE TABLE hits (
  EventTime DateTime64(6, 'UTC'), WatchID Int64, CounterID Int32, UserID Int64, RegionID Int32, ClientIP Int32, OS Int32,
  UserAgent Int32, SearchEngineID Int32, AdvEngineID Int32, TraficSourceID Int32, MobilePhone Int32, ResolutionWidth Int32,
  WindowClientWidth Int32, WindowClientHeight Int32, IsRefresh Int32, IsLink Int32, IsDownload Int32, DontCountHits Int32,
  URLHash Int64, URL String, Title String, Referer String, SearchPhrase String, MobilePhoneModel String
) ENGINE = MergeTree ORDER BY (CounterID, EventTime);
INSERT INTO hits SELECT * FROM file('{folder}/documents.ndjson', 'JSONEachRow');
OPTIMIZE TABLE hits FINAL;

-- query: q1
-- A column of small numbers, mostly 0.
SELECT COUNT(*) AS n FROM hits WHERE AdvEngineID <> 0;

-- query: q2
-- As logquery.sql has it.
SELECT SUM(AdvEngineID) AS engines, COUNT(*) AS n, AVG(ResolutionWidth) AS width FROM hits;

-- query: q3
-- The engine's hash table; exact.
SELECT uniqExact(UserID) AS users FROM hits;

-- query: q4
-- As logquery.sql has it.
SELECT AdvEngineID, COUNT(*) AS n FROM hits WHERE AdvEngineID <> 0 GROUP BY AdvEngineID ORDER BY n DESC, AdvEngineID;

-- query: q5
-- As logquery.sql has it.
SELECT RegionID, uniqExact(UserID) AS users FROM hits GROUP BY RegionID ORDER BY users DESC, RegionID LIMIT 10;

-- query: q6
-- As logquery.sql has it.
SELECT SearchPhrase, COUNT(*) AS n
FROM hits
WHERE SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY n DESC, SearchPhrase LIMIT 10;

-- query: q7
-- As logquery.sql has it.
SELECT UserID, COUNT(*) AS n FROM hits GROUP BY UserID ORDER BY n DESC, UserID LIMIT 10;

-- query: q8
-- Every URL is searched; a dictionary searches repeated ones once.
SELECT COUNT(*) AS n FROM hits WHERE URL LIKE '%google%';

-- query: q9
-- Texts are hashed whole.
SELECT URL, COUNT(*) AS n FROM hits GROUP BY URL ORDER BY n DESC, URL LIMIT 10;

-- query: q10
-- The order by counter and time makes this a stretch of the table.
SELECT toStartOfMinute(EventTime) AS minute, COUNT(*) AS n
FROM hits
WHERE CounterID = 0 AND IsRefresh = 0 AND DontCountHits = 0
GROUP BY minute
ORDER BY minute
LIMIT 10 OFFSET 10;
