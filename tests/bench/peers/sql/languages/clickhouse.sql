-- ClickHouse by hand over the layout in which callers of ClickHouse SQL know their logs: one table of all logs, their fields as a
-- Map(String, String), sorted by project, log, second and time. The rows are those of `logquery export --layout otel`.

-- load
CREATE TABLE logs (
  id String, timestamp DateTime64(9), event_message String, severity_text LowCardinality(String), source LowCardinality(String),
  project LowCardinality(String), log_attributes Map(String, String) CODEC(ZSTD(1))
) ENGINE = MergeTree PARTITION BY toDate(timestamp, 'UTC') ORDER BY (project, source, toDateTime(timestamp, 'UTC'), timestamp);
-- One file after the other, by one thread and in small blocks: a row group of maps takes many times its size in the file.
-- files: {folder}/*.parquet
INSERT INTO logs SELECT id, timestamp, event_message, severity_text, source, project, log_attributes
FROM file('{file}', Parquet)
SETTINGS max_threads = 1, max_parsing_threads = 1, max_block_size = 8192, input_format_parquet_max_block_size = 8192,
         input_format_parquet_enable_row_group_prefetch = 0, min_insert_block_size_bytes = 16777216;
OPTIMIZE TABLE logs FINAL;

-- query: newest
-- The order of the key begins with project and source, so that the newest rows lie at the end of one range.
SELECT id, timestamp, event_message
FROM logs
WHERE project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')} AND source = 'edge_logs'
ORDER BY timestamp DESC, id
LIMIT 100;

-- query: levels
-- A key of the map is read with the whole map: ClickHouse stores keys and values as two columns.
SELECT log_attributes['parsed.error_severity'] AS level, toStartOfMinute(timestamp) AS minute, count() AS n
FROM logs
WHERE project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')} AND source = 'postgres_logs'
GROUP BY level, minute
ORDER BY n DESC, minute, level
LIMIT 100;

-- query: attribute
-- The condition on a key of the map is a filter; the key of the table has no part in it.
SELECT id, timestamp, log_attributes['request.path'] AS path
FROM logs
WHERE project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')} AND source = 'edge_logs'
  AND log_attributes['request.method'] = 'DELETE'
ORDER BY timestamp DESC, id
LIMIT 100;

-- query: statuses
-- Two keys of the map in one pass over the rows; the number is read from its text.
SELECT log_attributes['request.method'] AS method, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 400) AS failed,
       count() AS n
FROM logs
WHERE project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')} AND source = 'edge_logs'
GROUP BY method
ORDER BY method;

-- query: text
-- A search in the text of each row; no index of tokens, as the other side has none.
SELECT count() AS n
FROM logs
WHERE project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')} AND source = 'edge_logs'
  AND event_message LIKE '%/auth/v1/%';
