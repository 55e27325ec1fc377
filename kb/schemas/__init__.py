"""What may stand in each sort of file, as JSON Schema and as tables for a document."""
