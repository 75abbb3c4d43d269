-- The rows of one project, newest first. A caller's own SQL may read either of the two by its name.
WITH
otel AS (
  SELECT t.id, t.timestamp, t.event_message, t.severity_number, t.severity_text, t.trace_id, t.span_id, t.body, t.attributes,
    t.resource, t.scope
  FROM otel_logs AS t
  WHERE t.project = @project
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
),
syslog AS (
  SELECT t.id, t.timestamp, t.event_message, t.host, t.program, t.pid, t.facility, t.severity
  FROM syslog_logs AS t
  WHERE t.project = @project
    AND (@iso_timestamp_start IS NULL OR t.timestamp > @iso_timestamp_start)
    AND (@iso_timestamp_end IS NULL OR t.timestamp <= @iso_timestamp_end)
  ORDER BY t.timestamp DESC, t.id
)
SELECT id, timestamp, event_message, severity_text, JSON_VALUE(resource, '$."service.name"') AS service, attributes
FROM otel
ORDER BY timestamp DESC, id
LIMIT 100
