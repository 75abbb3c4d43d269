select id from where timestamp > 0
