"""The experience-driven reflector (Optimus-1, equation 4): how a sub-goal gets on, by what is seen."""
