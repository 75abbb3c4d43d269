select * from memory.main.edge_logs
