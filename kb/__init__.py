"""From facts and rules to a ruling with its proof."""
