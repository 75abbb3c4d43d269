// Of a program that was built without the console: its page has no script.
