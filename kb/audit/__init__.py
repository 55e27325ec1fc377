"""Every revoke in archives of play records, with its ruling."""
