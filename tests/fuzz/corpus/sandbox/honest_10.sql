select e.id from EDGE_LOGS as e
