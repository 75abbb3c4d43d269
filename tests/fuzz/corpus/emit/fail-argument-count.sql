select starts_with(event_message) as s from edge_logs
