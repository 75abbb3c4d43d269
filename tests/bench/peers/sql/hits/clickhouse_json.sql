-- ClickHouse with its JSON type, in which every path has a type: the best case of JSON, for rows of one form.

-- load
CREATE TABLE hits (
  doc JSON(max_dynamic_paths = 0,
           EventTime Int64, WatchID Int64, CounterID Int64, UserID Int64, RegionID Int64, ClientIP Int64, OS Int64,
           UserAgent Int64, SearchEngineID Int64, AdvEngineID Int64, TraficSourceID Int64, MobilePhone Int64,
           ResolutionWidth Int64, WindowClientWidth Int64, WindowClientHeight Int64, IsRefresh Int64, IsLink Int64,
           IsDownload Int64, DontCountHits Int64, URLHash Int64, URL String, Title String, Referer String, SearchPhrase String,
           MobilePhoneModel String)
) ENGINE = MergeTree ORDER BY (doc.CounterID, doc.EventTime);
INSERT INTO hits SELECT json FROM file('{folder}/documents.ndjson', 'JSONAsObject', 'json JSON(max_dynamic_paths = 0)')
SETTINGS max_block_size = 8192;
OPTIMIZE TABLE hits FINAL;

-- query: q1
-- A typed path is a column of its own.
SELECT COUNT(*) AS n FROM hits WHERE doc.AdvEngineID <> 0;

-- query: q2
-- As logquery.sql has it.
SELECT SUM(doc.AdvEngineID) AS engines, COUNT(*) AS n, AVG(doc.ResolutionWidth) AS width FROM hits;

-- query: q3
-- As logquery.sql has it.
SELECT uniqExact(doc.UserID) AS users FROM hits;

-- query: q4
-- As logquery.sql has it.
SELECT doc.AdvEngineID, COUNT(*) AS n
FROM hits
WHERE doc.AdvEngineID <> 0
GROUP BY doc.AdvEngineID
ORDER BY n DESC, doc.AdvEngineID;

-- query: q5
-- As logquery.sql has it.
SELECT doc.RegionID, uniqExact(doc.UserID) AS users FROM hits GROUP BY doc.RegionID ORDER BY users DESC, doc.RegionID LIMIT 10;

-- query: q6
-- As logquery.sql has it.
SELECT doc.SearchPhrase, COUNT(*) AS n
FROM hits
WHERE doc.SearchPhrase <> ''
GROUP BY doc.SearchPhrase
ORDER BY n DESC, doc.SearchPhrase LIMIT 10;

-- query: q7
-- As logquery.sql has it.
SELECT doc.UserID, COUNT(*) AS n FROM hits GROUP BY doc.UserID ORDER BY n DESC, doc.UserID LIMIT 10;

-- query: q8
-- As logquery.sql has it.
SELECT COUNT(*) AS n FROM hits WHERE doc.URL LIKE '%google%';

-- query: q9
-- As logquery.sql has it.
SELECT doc.URL, COUNT(*) AS n FROM hits GROUP BY doc.URL ORDER BY n DESC, doc.URL LIMIT 10;

-- query: q10
-- As logquery.sql has it.
SELECT toStartOfMinute(fromUnixTimestamp64Micro(doc.EventTime, 'UTC')) AS minute, COUNT(*) AS n
FROM hits
WHERE doc.CounterID = 0 AND doc.IsRefresh = 0 AND doc.DontCountHits = 0
GROUP BY minute
ORDER BY minute
LIMIT 10 OFFSET 10;
