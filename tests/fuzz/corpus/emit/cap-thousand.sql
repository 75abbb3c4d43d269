select id from edge_logs order by id
