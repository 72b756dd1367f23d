"""Who passed the work to whom: offers, a person's decisions, readiness and the product brief."""
