"""Export rules: one small function for each op, or for a family of ops that differ in a name."""
