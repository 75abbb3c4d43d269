SELECT * FROM (SELECT id, n FROM edge_logs) PIVOT(COUNT(*) FOR n IN (n))
