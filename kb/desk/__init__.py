"""The director's desk: the web application (extra ``desk``)."""
