select * except (a, `b c`) replace (a + 1 as a, 2 as d,) from t
