"""The Architect: modules, image, diagrams, and the decisions worth writing down."""
