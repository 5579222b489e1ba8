"""Question sets, measures, reports, benchmarks. Nothing is imported here."""
