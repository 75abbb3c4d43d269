-- Whether a project is in use, and how much: the number of requests that its gateway had.
SELECT COUNT(*) AS count
FROM `cloudflare.logs.prod` AS t
WHERE t.project = @project
  AND t.timestamp >= @window_start
