select “a”
