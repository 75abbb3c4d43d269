-- DuckDB with columns, in the order in which the rows came, as logquery's do.

-- load
CREATE TABLE hits AS
SELECT * REPLACE (make_timestamp(EventTime) AS EventTime)
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', columns = {
  EventTime: 'BIGINT', WatchID: 'BIGINT', CounterID: 'BIGINT', UserID: 'BIGINT', RegionID: 'BIGINT', ClientIP: 'BIGINT',
  OS: 'BIGINT', UserAgent: 'BIGINT', SearchEngineID: 'BIGINT', AdvEngineID: 'BIGINT', TraficSourceID: 'BIGINT',
  MobilePhone: 'BIGINT', ResolutionWidth: 'BIGINT', WindowClientWidth: 'BIGINT', WindowClientHeight: 'BIGINT',
  IsRefresh: 'BIGINT', IsLink: 'BIGINT', IsDownload: 'BIGINT', DontCountHits: 'BIGINT', URLHash: 'BIGINT', URL: 'VARCHAR',
  Title: 'VARCHAR', Referer: 'VARCHAR', SearchPhrase: 'VARCHAR', MobilePhoneModel: 'VARCHAR'});
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
