select session_user as name from (select "x" as session_user)
