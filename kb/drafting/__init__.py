"""Writing a draft amendment: its first files, and cases from rulings."""
