SELECT * FROM (SELECT id, n FROM edge_logs) PIVOT(COUNT(*) FOR n IN (1, 2)) ORDER BY id
