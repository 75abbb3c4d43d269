select id, timestamp, event_message from edge_logs order by timestamp desc limit 10
