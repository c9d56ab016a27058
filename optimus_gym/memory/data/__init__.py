"""Tables of the memory: what finding each block costs."""
