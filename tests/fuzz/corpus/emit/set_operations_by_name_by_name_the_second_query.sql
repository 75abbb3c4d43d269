SELECT id, n FROM edge_logs WHERE n = 1 UNION ALL BY NAME SELECT 7 AS n, id FROM teams WHERE id = 'e' ORDER BY id
