select approx_quantiles(length(event_message), 100)[offset(95)] as p95 from edge_logs
