"""Language models, what stands for them, and how their texts are read."""
