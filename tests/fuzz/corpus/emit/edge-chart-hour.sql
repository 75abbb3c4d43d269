-- traffic chart, split by outcome
SELECT
  timestamp_trunc(lg.timestamp, hour) as timestamp,
  countif(response.status_code < 400) as fine,
  count(case when response.status_code between 400 and 499 then 1 end) as client_side,
  count(case when response.status_code >= 500 then 1 end) as server_side,
FROM edge_logs lg
  cross join unnest(metadata) as m
  cross join unnest(m.response) as response
GROUP BY timestamp
ORDER BY timestamp ASC
