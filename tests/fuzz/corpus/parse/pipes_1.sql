from t |> where a |> select b, c d, * |> extend e as f, g |> set h = 1, i = j + 1 |> drop k, l |> rename m as n, o p |> as q
