"""What happened at the table: cards, tricks and time. No law."""
