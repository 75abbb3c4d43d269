SELECT n, n + 1 AS m, COUNT(*) AS c FROM edge_logs WHERE n IS NOT NULL GROUP BY ROLLUP(n, n + 1) ORDER BY n, m, c
