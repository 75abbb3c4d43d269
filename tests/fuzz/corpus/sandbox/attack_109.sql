copy edge_logs to '/tmp/x.csv'
