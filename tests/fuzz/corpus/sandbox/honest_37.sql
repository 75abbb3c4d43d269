select count(*) as n, countif(event_message is null) as missing from edge_logs
