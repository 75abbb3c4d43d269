select * from (select * from (select * from `postgres.logs`))
