with recursive t as (select 1 as n union all select n + 1 from t where n < 5) select sum(n) as s from t
