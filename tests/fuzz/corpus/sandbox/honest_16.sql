with x as (select id from edge_logs) select * from x
