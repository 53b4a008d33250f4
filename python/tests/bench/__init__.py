"""Programs for the benches in bench/."""
