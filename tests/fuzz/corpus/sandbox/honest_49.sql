select generate_array(1, 10) as numbers
