-- DuckDB with JSON: one column; each query reads every row whole.

-- load
CREATE TABLE hits AS
SELECT json AS doc
FROM read_json('{folder}/documents.ndjson', format = 'newline_delimited', records = false, columns = {json: 'JSON'});
CHECKPOINT;

-- query: q1
-- One path of each row, cast.
SELECT COUNT(*) AS n FROM hits WHERE CAST(doc ->> '$.AdvEngineID' AS BIGINT) <> 0;

-- query: q2
-- As logquery.sql has it.
SELECT SUM(CAST(doc ->> '$.AdvEngineID' AS BIGINT)) AS engines, COUNT(*) AS n,
       AVG(CAST(doc ->> '$.ResolutionWidth' AS BIGINT)) AS width
FROM hits;

-- query: q3
-- As logquery.sql has it.
SELECT COUNT(DISTINCT CAST(doc ->> '$.UserID' AS BIGINT)) AS users FROM hits;

-- query: q4
-- As logquery.sql has it.
SELECT CAST(doc ->> '$.AdvEngineID' AS BIGINT) AS key, COUNT(*) AS n
FROM hits
WHERE CAST(doc ->> '$.AdvEngineID' AS BIGINT) <> 0
GROUP BY key
ORDER BY n DESC, key;

-- query: q5
-- As logquery.sql has it.
SELECT CAST(doc ->> '$.RegionID' AS BIGINT) AS key, COUNT(DISTINCT CAST(doc ->> '$.UserID' AS BIGINT)) AS users
FROM hits
GROUP BY key
ORDER BY users DESC, key LIMIT 10;

-- query: q6
-- As logquery.sql has it.
SELECT (doc ->> '$.SearchPhrase') AS key, COUNT(*) AS n
FROM hits
WHERE (doc ->> '$.SearchPhrase') <> ''
GROUP BY key
ORDER BY n DESC, key LIMIT 10;

-- query: q7
-- As logquery.sql has it.
SELECT CAST(doc ->> '$.UserID' AS BIGINT) AS key, COUNT(*) AS n
FROM hits
GROUP BY key
ORDER BY n DESC, key LIMIT 10;

-- query: q8
-- As logquery.sql has it.
SELECT COUNT(*) AS n FROM hits WHERE (doc ->> '$.URL') LIKE '%google%';

-- query: q9
-- As logquery.sql has it.
SELECT (doc ->> '$.URL') AS key, COUNT(*) AS n
FROM hits
GROUP BY key
ORDER BY n DESC, key LIMIT 10;

-- query: q10
-- As logquery.sql has it.
SELECT date_trunc('minute', make_timestamp(CAST(doc ->> '$.EventTime' AS BIGINT))) AS minute, COUNT(*) AS n
FROM hits
WHERE CAST(doc ->> '$.CounterID' AS BIGINT) = 0 AND CAST(doc ->> '$.IsRefresh' AS BIGINT) = 0
  AND CAST(doc ->> '$.DontCountHits' AS BIGINT) = 0
GROUP BY minute
ORDER BY minute
LIMIT 10 OFFSET 10;
