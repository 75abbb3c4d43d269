FROM edge_logs |> WHERE n IS NOT NULL |> SELECT id, n * 10 AS tens |> ORDER BY tens DESC, id |> LIMIT 2
