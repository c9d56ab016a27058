"""JARVIS-1 (Wang et al. 2023): a multimodal model that plans in code, checks, explains and remembers."""
