-- DuckDB with columns, in the order in which the rows came, as logquery's do.

-- load
CREATE TABLE hits AS
SELECT make_timestamp(CAST(json ->> '$.EventTime' AS BIGINT)) AS EventTime,
       CAST(json ->> '$.WatchID' AS BIGINT) AS WatchID, CAST(json ->> '$.CounterID' AS BIGINT) AS CounterID,
       CAST(json ->> '$.UserID' AS BIGINT) AS UserID, CAST(json ->> '$.RegionID' AS BIGINT) AS RegionID,
       CAST(json ->> '$.ClientIP' AS BIGINT) AS ClientIP, CAST(json ->> '$.OS' AS BIGINT) AS OS,
       CAST(json ->> '$.UserAgent' AS BIGINT) AS UserAgent, CAST(json ->> '$.SearchEngineID' AS BIGINT) AS SearchEngineID,
       CAST(json ->> '$.AdvEngineID' AS BIGINT) AS AdvEngineID, CAST(json ->> '$.TraficSourceID' AS BIGINT) AS TraficSourceID,
       CAST(json ->> '$.MobilePhone' AS BIGINT) AS MobilePhone,
       CAST(json ->> '$.ResolutionWidth' AS BIGINT) AS ResolutionWidth,
       CAST(json ->> '$.WindowClientWidth' AS BIGINT) AS WindowClientWidth,
       CAST(json ->> '$.WindowClientHeight' AS BIGINT) AS WindowClientHeight,
       CAST(json ->> '$.IsRefresh' AS BIGINT) AS IsRefresh, CAST(json ->> '$.IsLink' AS BIGINT) AS IsLink,
       CAST(json ->> '$.IsDownload' AS BIGINT) AS IsDownload, CAST(json ->> '$.DontCountHits' AS BIGINT) AS DontCountHits,
       CAST(json ->> '$.URLHash' AS BIGINT) AS URLHash, json ->> '$.URL' AS URL, json ->> '$.Title' AS Title,
       json ->> '$.Referer' AS Referer, json ->> '$.SearchPhrase' AS SearchPhrase,
       json ->> '$.MobilePhoneModel' AS MobilePhoneModel
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', records = false, columns = {json: 'JSON'});
CHECKPOINT;

-- query: q1
-- A column of small numbers, mostly 0.
SELECT COUNT(*) AS n FROM hits WHERE AdvEngineID <> 0;

-- query: q2
-- As logquery.sql has it.
SELECT SUM(AdvEngineID) AS engines, COUNT(*) AS n, AVG(ResolutionWidth) AS width FROM hits;

-- query: q3
-- The engine's hash table; exact.
SELECT COUNT(DISTINCT UserID) AS users FROM hits;

-- query: q4
-- As logquery.sql has it.
SELECT AdvEngineID, COUNT(*) AS n FROM hits WHERE AdvEngineID <> 0 GROUP BY AdvEngineID ORDER BY n DESC, AdvEngineID;

-- query: q5
-- As logquery.sql has it.
SELECT RegionID, COUNT(DISTINCT UserID) AS users FROM hits GROUP BY RegionID ORDER BY users DESC, RegionID LIMIT 10;

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
-- Three small columns select.
SELECT date_trunc('minute', EventTime) AS minute, COUNT(*) AS n
FROM hits
WHERE CounterID = 0 AND IsRefresh = 0 AND DontCountHits = 0
GROUP BY minute
ORDER BY minute
LIMIT 10 OFFSET 10;
