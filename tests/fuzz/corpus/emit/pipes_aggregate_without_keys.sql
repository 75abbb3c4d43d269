FROM edge_logs |> AGGREGATE SUM(n) AS total, COUNT(*) AS c
