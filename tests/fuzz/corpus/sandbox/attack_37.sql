select * from `region-us`.INFORMATION_SCHEMA.JOBS
