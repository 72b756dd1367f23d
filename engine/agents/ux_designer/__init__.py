"""The UX Designer: proposes one prototype that can be walked through."""
