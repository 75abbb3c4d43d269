WITH a AS (SELECT id, n FROM edge_logs WHERE n > 0) SELECT x.id, y.n FROM a AS x JOIN a AS y ON x.id = y.id ORDER BY 1
