// This program was built without the console: its page has no script.
