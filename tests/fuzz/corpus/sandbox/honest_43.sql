select if(true, 'getenv', 'read_csv') as name
