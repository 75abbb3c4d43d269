-- DuckDB with columns, sorted as ClickHouse's table is, for one who knows the queries before the table is made: filters skip row
-- groups, and equal values lie together.

-- load
CREATE TABLE events AS
SELECT json ->> '$.kind' AS kind, json ->> '$.commit.operation' AS operation, json ->> '$.commit.collection' AS collection,
       json ->> '$.did' AS did, make_timestamp(CAST(json ->> '$.time_us' AS BIGINT)) AS time_us, CAST(json AS VARCHAR) AS doc
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', records = false, columns = {json: 'JSON'})
ORDER BY kind, operation, collection, did, time_us;
CHECKPOINT;

-- queries: duckdb_columns.sql
