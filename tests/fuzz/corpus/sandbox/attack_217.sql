select project from edge_logs
