WITH numbers AS (SELECT 1 AS n)
SELECT n FROM numbers
