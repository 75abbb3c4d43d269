SELECT id, (SELECT MAX(t.id) FROM teams AS t WHERE t.id < e.id) AS before FROM edge_logs AS e ORDER BY id
