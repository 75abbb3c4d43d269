select id, event_mesage from edge_logs limit 1
