select session_user()
