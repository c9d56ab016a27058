"""The tables and ablations of the papers: suites, titles, and the papers' figures."""
