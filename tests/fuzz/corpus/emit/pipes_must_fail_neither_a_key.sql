FROM edge_logs |> AGGREGATE id GROUP BY n
