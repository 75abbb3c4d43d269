select id, event_message as id from edge_logs limit 1
