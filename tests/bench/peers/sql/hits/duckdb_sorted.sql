-- DuckDB with columns, sorted by counter and time, as ClickBench sorts ClickHouse's table.

-- load
CREATE TABLE hits AS
SELECT * REPLACE (make_timestamp(EventTime) AS EventTime)
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', columns = {
  EventTime: 'BIGINT', WatchID: 'BIGINT', CounterID: 'BIGINT', UserID: 'BIGINT', RegionID: 'BIGINT', ClientIP: 'BIGINT',
  OS: 'BIGINT', UserAgent: 'BIGINT', SearchEngineID: 'BIGINT', AdvEngineID: 'BIGINT', TraficSourceID: 'BIGINT',
  MobilePhone: 'BIGINT', ResolutionWidth: 'BIGINT', WindowClientWidth: 'BIGINT', WindowClientHeight: 'BIGINT',
  IsRefresh: 'BIGINT', IsLink: 'BIGINT', IsDownload: 'BIGINT', DontCountHits: 'BIGINT', URLHash: 'BIGINT', URL: 'VARCHAR',
  Title: 'VARCHAR', Referer: 'VARCHAR', SearchPhrase: 'VARCHAR', MobilePhoneModel: 'VARCHAR'})
ORDER BY CounterID, EventTime;
CHECKPOINT;

-- queries: duckdb_columns.sql
