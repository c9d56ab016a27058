"""The wire-sighted executor: scripts for worlds that tell blocks on request and show no arrays."""
