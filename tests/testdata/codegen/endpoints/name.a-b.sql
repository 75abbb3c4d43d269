WITH one AS (SELECT 1 AS one)
SELECT one FROM one
