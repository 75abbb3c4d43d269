select gen_random_uuid()
