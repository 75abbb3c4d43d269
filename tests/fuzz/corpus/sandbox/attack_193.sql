select @unknown
