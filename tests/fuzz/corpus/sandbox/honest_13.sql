select id as `from` from edge_logs
