"""What holds of the rules in every situation."""
