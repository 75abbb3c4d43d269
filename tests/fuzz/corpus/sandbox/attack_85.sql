select * from `data.csv`
