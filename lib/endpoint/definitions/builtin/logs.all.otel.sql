-- The rows of all logs of one project as one table. A caller's own SQL reads it by the name logs; without one the edge
-- gateway's newest 100 are returned.
WITH logs AS (
  SELECT *
  FROM logs
  WHERE project = {project:String}
    AND timestamp > {retention_start:DateTime64(6)}
    AND ({iso_timestamp_start:Nullable(DateTime64(6))} IS NULL
         OR timestamp > {iso_timestamp_start:Nullable(DateTime64(6))})
    AND ({iso_timestamp_end:Nullable(DateTime64(6))} IS NULL
         OR timestamp <= {iso_timestamp_end:Nullable(DateTime64(6))})
)
SELECT id, timestamp, event_message, log_attributes
FROM logs
WHERE source = 'edge_logs'
ORDER BY timestamp DESC, id
LIMIT 100
