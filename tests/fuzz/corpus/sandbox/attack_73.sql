select * from postgres_scan('host=localhost', 'public', 'users')
