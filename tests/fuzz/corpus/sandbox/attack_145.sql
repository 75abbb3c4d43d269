with edge as (delete from edge_logs returning *) select * from edge
