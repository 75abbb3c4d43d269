SELECT kind, texts FROM `types.echo`
