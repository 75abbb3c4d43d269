SELECT id, id LIKE ANY UNNEST(tags) AS l, 'x' LIKE ANY UNNEST(tags) AS x, id NOT LIKE ALL UNNEST(['a', 'b%']) AS n FROM edge_logs ORDER BY id
