"""Running compiled models: modules, packed functions, arrays, threads. Needs numpy only."""
