select id from edge_logs union all select id from postgres_logs
