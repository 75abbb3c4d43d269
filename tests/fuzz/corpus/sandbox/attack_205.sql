select * from edge_logs for system_time as of timestamp '2020-01-01'
