SELECT tags FROM edge_logs WHERE id = 'a' FULL UNION ALL BY NAME SELECT [STRUCT(1 AS x)] AS list, 'z' AS id
