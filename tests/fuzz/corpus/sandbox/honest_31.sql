select id, m.level from function_logs, unnest(metadata) as m
