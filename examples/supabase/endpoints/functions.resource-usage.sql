-- What a function's workers used, as each says at its end: CPU time in milliseconds, heap and other memory in bytes, both in MB.
WITH
buckets AS (
  SELECT start FROM UNNEST(@bucket_timestamps) AS start
),
workers AS (
  SELECT
    CASE
      WHEN @interval = '5min' THEN TIMESTAMP_TRUNC(t.timestamp, SECOND)
      WHEN @interval IN ('15min', '1hr', '3hr') THEN TIMESTAMP_TRUNC(t.timestamp, MINUTE)
      WHEN @interval = '7day' THEN TIMESTAMP_TRUNC(t.timestamp, DAY)
      ELSE TIMESTAMP_TRUNC(t.timestamp, HOUR)
    END AS bucket,
    AVG(m.cpu_time_used) AS avg_cpu_time_used,
    MAX(m.cpu_time_used) AS max_cpu_time_used,
    AVG(u.heap) AS avg_heap_memory_used,
    AVG(u.external) AS avg_external_memory_used,
    AVG(u.heap + u.external) AS avg_memory_used
  FROM `deno-subhosting-events` AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  LEFT JOIN UNNEST(m.memory_used) AS u
  WHERE m.project_ref = @project
    AND m.function_id = @function_id
    AND t.timestamp >= @bucket_timestamps[OFFSET(0)]
  GROUP BY bucket
)
SELECT
  buckets.start AS timestamp,
  IFNULL(workers.avg_cpu_time_used, 0) AS avg_cpu_time_used,
  IFNULL(workers.max_cpu_time_used, 0) AS max_cpu_time_used,
  IFNULL(workers.avg_heap_memory_used, 0) AS avg_heap_memory_used,
  IFNULL(workers.avg_external_memory_used, 0) AS avg_external_memory_used,
  IFNULL(workers.avg_memory_used, 0) / 1048576 AS avg_memory_used
FROM buckets
LEFT JOIN workers ON workers.bucket = buckets.start
ORDER BY timestamp ASC
