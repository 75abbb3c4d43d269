select cast(a)
