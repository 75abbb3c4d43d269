select read_text('/etc/passwd')
