"""MP5: five modules and active perception (Qin et al. 2024)."""
