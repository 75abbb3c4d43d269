-- DuckDB with columns, sorted by counter and time, as ClickBench sorts ClickHouse's table.

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
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', records = false, columns = {json: 'JSON'})
ORDER BY CounterID, EventTime;
CHECKPOINT;

-- queries: duckdb_columns.sql
