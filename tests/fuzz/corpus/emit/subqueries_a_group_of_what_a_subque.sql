SELECT (SELECT COUNT(*) FROM UNNEST(e.items)) AS items, COUNT(*) AS n FROM edge_logs AS e GROUP BY items ORDER BY items
