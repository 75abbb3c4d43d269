from edge_logs
|> cross join unnest(metadata) as m
|> cross join unnest(m.response) as rs
|> where rs.status_code >= 400
|> aggregate count(*) as n group by rs.status_code
|> order by n desc, status_code
|> limit 5
