select t from edge_logs as t limit 1
