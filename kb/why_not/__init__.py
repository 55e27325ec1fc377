"""Why a clause does not apply, and what would make it apply."""
