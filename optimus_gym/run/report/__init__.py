"""Write a page that shows the results of evaluations: `optimus-gym report`."""
