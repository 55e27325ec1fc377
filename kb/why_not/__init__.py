"""Why a clause does not apply, what would make it apply, and what the ruling would be if something were otherwise."""
