"""Tables and ablations of the papers: the arms of one comparison are played and shown together."""
