select event_message from edge_logs where regexp_contains(event_message, r'(?i)select\s+\*\s+from')
