"""The network of the controller `pixel`."""
