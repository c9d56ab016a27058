"""Data files of the backbones: words that the parsers know, and the weights of the rules' classifier."""
