select * from duckdb_tables()
