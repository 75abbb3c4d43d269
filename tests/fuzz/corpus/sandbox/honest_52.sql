select format('%s has %d', 'edge', 3) as text
